# SPDX-License-Identifier: GPL-3.0-or-later
# Whatever umask cpack has: another one than 022 would close folders of the system to its users.
file(CHMOD_RECURSE ${CPACK_TEMPORARY_DIRECTORY} DIRECTORY_PERMISSIONS
     OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
