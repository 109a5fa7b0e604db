# What tests/docs reads is not shown; the generator knows the languages of blocks by their endings.
/^<!-- test: .* -->$/d
/^<!-- features[^>]*-->$/d
s/<!-- features[^>]*-->//g
s/<!-- figure: [^>]* -->//g
s|^```cpp$|```{.cpp}|
# A heading of the glossary is the target of links.
/^### /{
h
s/^### //
s/[^A-Za-z0-9 -]//g
y/ABCDEFGHIJKLMNOPQRSTUVWXYZ /abcdefghijklmnopqrstuvwxyz-/
s/.*/ {#&}/
H
x
s/\n//
s/^###/##/
}
