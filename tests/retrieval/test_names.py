"""The part `name`."""

from __future__ import annotations

from .workspace_of_texts import Workspace, assertion

FILES = {
    "shop/cart.py": (
        "class Basket:\n"
        "    def apply_voucher(self, code):\n"
        "        return code\n"
        "\n"
        "    def weigh(self):\n"
        "        return 1\n"
        "\n"
        "\n"
        "def unrelated():\n"
        "    return None\n"
    ),
    "tests/test_cart.py": (
        "from shop.cart import Basket\n"
        "\n"
        "\n"
        "def test_total():\n"
        "    basket = Basket()\n"
        "    voucher = 'SAVE'\n"
        "    assert basket.weigh() == voucher\n"
    ),
}


def name_parts() -> dict[str, float]:
    workspace = Workspace(FILES)
    leads = workspace.leads(assertion(("tests/test_cart.py", 7), test="test_total"))
    return {name: lead.parts.get("name", 0.0) for name, lead in leads.items()}


def test_a_unit_that_the_failing_code_names_is_above_one_that_it_does_not() -> None:
    parts = name_parts()
    assert parts["Basket.weigh"] > 0
    assert parts.get("unrelated", 0.0) == 0


def test_the_best_outside_tests_has_one_and_none_has_more() -> None:
    parts = name_parts()
    assert max(score for name, score in parts.items() if not name.startswith("test")) == 1.0
    assert all(0 <= score <= 1 for score in parts.values())


def test_words_of_the_class_around_count_too() -> None:
    assert name_parts()["Basket.apply_voucher"] > 0
