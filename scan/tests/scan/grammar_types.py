"""What grammar.py draws: types, variables, and the productions that svs scan refuses."""

from dataclasses import dataclass, field

INTEGERS = ["_Bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long",
            "long long", "unsigned long long"]
FLOATS = ["float", "double", "long double"]
UNSIGNED = {name for name in INTEGERS if name.startswith("unsigned")}
NARROW = {"_Bool", "char", "signed char", "unsigned char", "short", "unsigned short"}


@dataclass
class Type:
    kind: str  # arith, complex, array, struct, union, pointer, enum
    name: str = ""
    of: "Type" = None
    n: int = 0
    fields: list = field(default_factory=list)  # (name, type, bits)
    qualifiers: str = ""

    def text(self, name=""):
        if self.kind == "array":
            return self.of.text(f"{name}[{self.n}]")
        if self.kind == "pointer":
            return self.of.text(f"(*{self.qualifiers}{name})" if self.of.kind == "array" else f"*{self.qualifiers}{name}")
        return f"{self.qualifiers}{self.name} {name}".strip()

    def is_integer(self):
        return self.kind == "arith" and self.name in INTEGERS

    def is_float(self):
        return self.kind == "arith" and self.name in FLOATS


INT = Type("arith", "int")


@dataclass
class Variable:
    name: str
    type: Type
    writable: bool = True
    extent: int = 0  # of a pointer: how many elements
    thread: bool = False


@dataclass
class Scope:
    item: list  # int expressions that are known
    locals: list = field(default_factory=list)  # (name, type), which may change
    depth: int = 1
    loop: bool = False
    task: bool = True


# Refused by svs scan, with a message: drawn in a part of the programs only.
REFUSED = {
    "goto": r"does not follow (GotoStmt|LabelStmt)",
    "computed_goto": r"does not follow (IndirectGotoStmt|AddrLabelExpr|LabelStmt)",
    "asm": r"does not follow GCCAsmStmt",
    "case_in_a_statement": r"a case inside of another statement|does not follow CaseStmt",
    "bytes_of_a_struct": r"the bytes of a .* are accessed as",
    "bytes_through_a_function": r"the bytes of a .* are accessed as",
    "thread_variable_as_an_index": r"_Thread_local",
    "item_of_another_instance": r"leads to the item of another instance",
    "struct_as_another": r"a pointer of type .* becomes one of type",
    "number_as_a_pointer": r"a number becomes a pointer",
    "va_arg": r"does not follow VAArgExpr|va_",
    "case_range": r"range",
    "call_not_seen": r"its body is not seen",
    "compound literal of a struct": r"does not follow MemberExpr",
    "cleanup": r"does not follow CleanupAttr",
    "__real__": r"__real",
    "__imag__": r"__imag",
    "complex value": r"__real|Complex",
    "complex as a whole": r"__real|__imag|[Cc]omplex",
    "variable length array": r"the length of an array",
    "variable length array with an effect": r"the length of an array",
    "typedef of variable length": r"the length of an array",
    "parameter with an effect": r"the length of an array",
}
# Refused where the slice needs the value, and accepted elsewhere.
SOMETIMES = {
    "thread variable": r"_Thread_local",
    "array of a returned struct": r"does not follow MemberExpr",
    "sizeof a variable length array": r"the length of an array",
    "size with an effect": r"the length of an array",
    "sizeof with an effect": r"the length of an array",
    "complex": r"__real|__imag|Complex",
    "typeof": r"a pointer of type typeof .* becomes one of type|the length of an array|does not follow typeof",
    "alias of other sign": r"the bytes of a .* are accessed as",
}
# Likewise, and so seldom drawn elsewhere that of thousands of programs none or a few are accepted.
SELDOM = {
    "imaginary constant": r"does not follow ImaginaryLiteral|__real",
    "choose_expr": r"does not follow ChooseExpr",
    "elvis": r"does not follow BinaryConditionalOperator",
    "alias as characters": r"the bytes of a .* are accessed as",
}
# Of these, statements that are nothing else; the others stand among what may be drawn in all programs.
REFUSED_STATEMENTS = ["goto", "computed_goto", "asm", "case_in_a_statement", "bytes_of_a_struct", "bytes_through_a_function", "item_of_another_instance", "thread_variable_as_an_index", "struct_as_another", "number_as_a_pointer", "va_arg",
                      "case_range", "call_not_seen"]
