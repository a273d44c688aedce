"""Formulas in the texts of papers, as people read them: "$N$" is N, "$10^{-3}$" is 10⁻³.

For the screen alone: what is stored and what is exported stays as it came.
"""

import re
from unicodedata import lookup

# Between two dollars, without space beside either or quotes: "$5 and $10" are prices, and quoted
# "$a" and "$b" are code.
FORMULA = re.compile(r"\$\$?(?=[^\s$])([^$\n\"]{1,200}?)(?<=[^\s\\])\$\$?(?!\d)")
# Only the argument of these is read.
DRESSES = (
    "mathrm|mathbf|mathcal|mathbb|mathit|mathsf|boldsymbol|operatorname|text|textit|textbf"
    "|emph|tilde|hat|bar|overline|vec"
)
DRESSED = re.compile(rf"\\(?:{DRESSES})(?:\s*\{{([^{{}}]*)\}}|\s+([A-Za-z])(?![A-Za-z]))")
FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
ROOT = re.compile(r"\\sqrt\s*\{([^{}]*)\}")
SCRIPT = re.compile(r"([\^_])(?:\{([^{}]*)\}|([^\s{}\\]))")
# A sign that TeX would take for its own.
ESCAPED = re.compile(r"\\([%&#])")
# Outside of formulas: words set apart, and the space after "Eq." that no line may break at.
SET_APART = re.compile(r"\\(?:emph|textit|textbf|texttt|textsc|textrm|underline)\{([^{}]*)\}")
TIED = re.compile(r"(?<=[a-z]\.)~(?=\S)")
COMMAND = re.compile(r"\\([A-Za-z]+)")
# A sign by itself. It is read first: with "\mathbb{R}" read as R, "\to\mathbb{R}" would be "\toR".
SIGN = re.compile(rf"\\(?!(?:{DRESSES}|[dt]?frac|sqrt)(?![A-Za-z]))([A-Za-z]+)")
# Braces that are read, kept apart from those that group.
BRACES = str.maketrans("\ue000\ue001", "{}")

RAISED = str.maketrans("0123456789+-=()niT*", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵀ*")
LOWERED = str.maketrans("0123456789+-=()aeijkmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑᵢⱼₖₘₙₒₚᵣₛₜᵤᵥₓ")
GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta kappa lamda mu nu xi pi rho sigma tau upsilon "
    "phi chi psi omega"
)
OTHERS = (
    "lambda=λ Lambda=Λ varphi=φ varepsilon=ε ell=ℓ times=× cdot=· pm=± sim=∼ approx=≈ "  # noqa: RUF001
    "leq=≤ le=≤ geq=≥ ge=≥ neq=≠ ne=≠ ll=≪ gg=≫ in=∈ subset=⊂ cup=∪ cap=∩ infty=∞ "  # noqa: RUF001
    "rightarrow=→ to=→ leftarrow=← ldots=… dots=… cdots=… sum=∑ prod=∏ partial=∂ nabla=∇ "
    "forall=∀ exists=∃ circ=∘ propto=∝ sqrt=√ star=* ast=* colon=: mid=| mapsto=↦ Rightarrow=⇒ "
    "iff=⇔ subseteq=⊆ notin=∉ setminus=∖ emptyset=∅ int=∫ equiv=≡ langle=⟨ rangle=⟩ otimes=⊗"  # noqa: RUF001
)
SIGNS = {
    **{name: lookup(f"GREEK SMALL LETTER {name}") for name in GREEK.split()},
    **{name.capitalize(): lookup(f"GREEK CAPITAL LETTER {name}") for name in GREEK.split()},
    "left": "",
    "right": "",
    "quad": " ",
    **dict(sign.split("=", 1) for sign in OTHERS.split()),
}


def plain_formulas(text: str) -> str:
    """The text with its formulas as letters and signs, "85.9\\%" as 85.9%, and "\\emph{new}" as
    new; everything else stays as it is."""
    if "$" in text:
        text = FORMULA.sub(lambda match: _plain(match[1]), text)
    if "~" in text:
        text = TIED.sub("\N{NO-BREAK SPACE}", text)
    return ESCAPED.sub(r"\1", SET_APART.sub(r"\1", text)) if "\\" in text else text


def _plain(formula: str) -> str:
    text = formula.replace(r"\{", "\ue000").replace(r"\}", "\ue001").replace(r"\|", "‖")
    text = SIGN.sub(_sign, text)
    for _ in range(3):  # what stands inside what
        text = DRESSED.sub(r"\1\2", text)
        text = FRACTION.sub(r"\1/\2", text)
        text = ROOT.sub(r"√\1", text)
    text = COMMAND.sub(_sign, text)
    text = SCRIPT.sub(_script, text)
    text = re.sub(r"\\([%&_#$,;:! ])", lambda m: m[1] if m[1] in "%&_#$" else " ", text)
    text = re.sub(r"[{}~]", "", text).translate(BRACES)
    return re.sub(r"\s+", " ", text).strip() or formula


def _sign(match: re.Match[str]) -> str:
    return SIGNS.get(match[1], match[1] + " ")


def _script(match: re.Match[str]) -> str:
    """Raised or lowered where there are such letters; else with the sign that says so."""
    sign, inside = match[1], match[2] if match[2] is not None else match[3]
    table = RAISED if sign == "^" else LOWERED
    if inside and all(ord(letter) in table for letter in inside):
        return inside.translate(table)
    return f"{sign}{inside}" if len(inside) == 1 else f"{sign}({inside})"
