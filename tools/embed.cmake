# cmake -DPAGE=page.html -DSTYLE=page.css -DSCRIPTS=a.js,b.js -DOUTPUT=page.c -P embed.cmake: the page as C, in two
# parts between which its data goes.
cmake_minimum_required(VERSION 3.18)

file(READ "${PAGE}" page)
file(READ "${STYLE}" style)
string(REPLACE "," ";" scripts "${SCRIPTS}")
set(script "")
foreach(file IN LISTS scripts)
    file(READ "${file}" text)
    string(APPEND script "${text}")
endforeach()
# Within a script element this would end it, wherever it stands.
if(script MATCHES "</script|<!--")
    message(FATAL_ERROR "a script of the page would end its element early")
endif()
string(REPLACE "{{style}}" "${style}" page "${page}")
string(REPLACE "{{script}}" "${script}" page "${page}")

string(FIND "${page}" "{{data}}" at)
if(at EQUAL -1)
    message(FATAL_ERROR "${PAGE} has no place for its data")
endif()
math(EXPR after "${at} + 8")
string(SUBSTRING "${page}" 0 ${at} head)
string(SUBSTRING "${page}" ${after} -1 tail)

string(REPEAT "." 80 line)
set(source "#include \"page.h\"\n")
foreach(part IN ITEMS head tail)
    string(HEX "${${part}}" digits)
    string(REGEX REPLACE "(..)" "0x\\1," values "${digits}")
    string(REGEX REPLACE "(${line})" "    \\1\n"
        values "${values}")
    string(APPEND source "\nconst unsigned char tool_page_${part}[] = {\n${values}};\n"
        "const size_t tool_page_${part}_size = sizeof tool_page_${part};\n")
endforeach()
file(WRITE "${OUTPUT}" "${source}")
