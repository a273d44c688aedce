import pytest

from annotation.reading.formulas import plain_formulas


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("All $N$ papers", "All N papers"),
        ("a $k$-NN graph of $10^{-3}$", "a k-NN graph of 10⁻³"),
        (r"$\mathbf{x}_1 \in \mathbb{R}^n$", "x₁ ∈ Rⁿ"),
        (r"$f\colon\mathbb{R}^n\to\mathbb R$", "f:Rⁿ→R"),
        (r"$\|x\| \in \{0, 1\}^n$", "‖x‖ ∈ {0, 1}ⁿ"),
        (r"with $\alpha \leq 0.5$ and $95\%$", "with α ≤ 0.5 and 95%"),
        (r"$\frac{a}{b}$ and $\sqrt{n}$", "a/b and √n"),
        (r"in $O(n^{\log n})$ time", "in O(n^(log n)) time"),
        (r"an $\unknown{x}$ sign", "an unknown x sign"),
        (r"in 85.9\% of R\&D", "in 85.9% of R&D"),
        ("$$E$$ and $H_{ab}$", "E and H_(ab)"),
        (r"an \emph{open} set of \textbf{10 tasks}", "an open set of 10 tasks"),
        ("see Eq.~(3) and Fig.~2", "see Eq.\N{NO-BREAK SPACE}(3) and Fig.\N{NO-BREAK SPACE}2"),
    ],
)
def test_formulas_are_read_as_letters_and_signs(text, read):
    assert plain_formulas(text) == read


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 and $10.",
        "from $5/$10 on",
        "one $ alone",
        "US$ 3 to US$ 4",
        "",
        "$$",
        "10~20 papers",
        r"C:\emphasis",
    ],
)
def test_prices_and_lone_dollars_stay(text):
    assert plain_formulas(text) == text
