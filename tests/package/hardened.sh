# SPDX-License-Identifier: GPL-3.0-or-later
# The programs are compiled and linked as CMakeLists.txt asks: a fault of memory ends them before it is of use to anybody.
. "$(dirname "$0")/common.sh"

programs=$(has window && echo cardfit || true)
for program in $programs cardfit-cli; do
    readelf -hldW --dyn-syms "$build/$program" > "$work/$program"
    says() { grep -Eq -- "$1" "$work/$program" || fail "$program: $2"; }
    says 'Type: +DYN' "not position independent"
    says 'GNU_RELRO' "no relro"
    says 'FLAGS.*(BIND_)?NOW' "relro is not full: no -z now"
    says 'GNU_STACK.* RW ' "the stack is executable"
    says 'UND __stack_chk_fail' "no stack protector"
    says 'UND __[a-z]+_chk(@| )' "no fortified function"
    says 'UND _ZSt21__glibcxx_assert_fail' "no assertions of the library"
done
