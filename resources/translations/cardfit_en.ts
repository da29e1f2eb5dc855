<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
<context>
    <name>cardfit::app::CalibrationDialog</name>
    <message numerus="yes">
        <source>%n line(s) hold none of the figures.</source>
        <translation>
            <numerusform>%n line holds none of the figures.</numerusform>
            <numerusform>%n lines hold none of the figures.</numerusform>
        </translation>
    </message>
</context>
</TS>
