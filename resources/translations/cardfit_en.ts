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
<context>
    <name>cardfit::app::LaunchImportDialog</name>
    <message numerus="yes">
        <source>%n line(s) below could not be mapped as they stand.</source>
        <translation>
            <numerusform>%n line below could not be mapped as it stands.</numerusform>
            <numerusform>%n lines below could not be mapped as they stand.</numerusform>
        </translation>
    </message>
</context>
</TS>
