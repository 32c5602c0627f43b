"""Each source proposes what it promises, and says why."""

from __future__ import annotations

import pytest

from lsp_server.model.failure import Failure

from .workspace_of_texts import Workspace, assertion, exception

SHOP = {
    "shop/__init__.py": "from .cart import Cart\n",
    "shop/cart.py": (
        "from .prices import price_of\n"
        "\n"
        "\n"
        "class Cart:\n"
        "    def __init__(self):\n"
        "        self.items = []\n"
        "\n"
        "    def add(self, item):\n"
        "        self.items.append(item)\n"
        "\n"
        "    def total(self):\n"
        "        return sum(price_of(item) for item in self.items)\n"
    ),
    "shop/prices.py": ("from .rates import rate\n\n\ndef price_of(item):\n    return item.base * rate(item.kind)\n"),
    "shop/rates.py": (
        "RATES = {'book': 1.07}\n\n\ndef rate(kind):\n    return RATES[kind]\n\n\ndef unrelated():\n    return None\n"
    ),
    "tests/helpers.py": "def check_equal(left, right):\n    assert left == right\n",
    "tests/test_cart.py": (
        "from shop import Cart\n"
        "from tests.helpers import check_equal\n"
        "\n"
        "\n"
        "def test_cart_total():\n"
        "    cart = Cart()\n"
        "    cart.add(1)\n"
        "    check_equal(cart.total(), 3)\n"
    ),
}


def failing_total(workspace: Workspace, message: str = "AssertionError: 2 != 3") -> Failure:
    line = workspace.line("tests/test_cart.py", "check_equal(cart")
    return assertion(("tests/test_cart.py", line), message=message, test="test_cart_total")


def test_the_failing_unit_is_proposed_with_its_line() -> None:
    workspace = Workspace(SHOP)
    lead = workspace.leads(failing_total(workspace))["test_cart_total"]
    assert "traceback" in lead.parts
    assert "failing line 8" in lead.why


def test_what_the_asserting_line_calls_is_found_through_a_reexport() -> None:
    workspace = Workspace(SHOP)
    leads = workspace.leads(failing_total(workspace))
    assert "assertion-call" in leads["Cart.total"].parts
    assert "definition" in leads["Cart.add"].parts
    assert leads["Cart.total"].trail[0] == "tests/test_cart.py:8"


def test_what_those_use_is_found_further_along_and_weaker() -> None:
    workspace = Workspace(SHOP)
    leads = workspace.leads(failing_total(workspace))
    assert leads["price_of"].parts["hop2"] > leads["rate"].parts["hop2"] > 0
    assert "unrelated" not in leads or "hop2" not in leads["unrelated"].parts


def test_a_helper_that_only_compares_counts_less_than_what_it_compares() -> None:
    workspace = Workspace(SHOP)
    helper = workspace.line("tests/helpers.py", "assert left")
    failure = assertion(
        ("tests/helpers.py", helper), ("tests/test_cart.py", 8), message="AssertionError", test="test_cart_total"
    )
    scene = workspace.scene(failure)
    weights = {failing.unit.name: failing.weight for failing in scene.failing}
    assert weights["check_equal"] < weights["test_cart_total"]


def test_what_stands_below_the_failing_line_counts_less() -> None:
    files = {
        **SHOP,
        "tests/test_cart.py": (
            "from shop.prices import price_of\n"
            "from shop.rates import rate\n"
            "\n"
            "\n"
            "def test_prices():\n"
            "    first = price_of(1)\n"
            "    assert first\n"
            "    assert rate('book')\n"
        ),
    }
    leads = Workspace(files).leads(assertion(("tests/test_cart.py", 7)))
    ran, not_run = leads["price_of"].parts["definition"], leads["rate"].parts["definition"]
    assert ran > 2 * not_run


def test_who_uses_the_failing_function_is_found() -> None:
    workspace = Workspace(SHOP)
    line = workspace.line("shop/rates.py", "RATES[kind]")
    leads = workspace.leads(exception(("shop/rates.py", line), message="KeyError: 'food'"))
    assert "caller" in leads["price_of"].parts
    assert "uses `rate`" in leads["price_of"].why or "definition" in leads["price_of"].parts


def test_a_test_is_linked_to_what_it_is_named_after() -> None:
    workspace = Workspace(SHOP)
    lead = workspace.leads(failing_total(workspace))["Cart.total"]
    assert lead.parts["test-link"] > 0.5
    assert lead.parts["file:test"] > 0.5


def test_a_name_in_the_message_is_found_by_its_words() -> None:
    workspace = Workspace(SHOP)
    leads = workspace.leads(failing_total(workspace, "NameError: name 'unrelated' is not defined"))
    assert leads["unrelated"].parts["bm25:message"] > 0.5


def test_words_find_code_that_no_link_leads_to() -> None:
    leads = Workspace(SHOP).leads(task="the rate of a kind is wrong")
    assert leads["rate"].parts["bm25"] == 1.0


def test_a_task_alone_ranks_tests_below_code() -> None:
    workspace = Workspace(SHOP)
    ranks = {item.symbol: item.rank for item in workspace.pack(task="cart total").selection.items}
    assert ranks["Cart.total"] < ranks["test_cart_total"]


def test_every_id_of_a_parametrised_test_and_its_words_in_other_forms_name_what_is_tested() -> None:
    workspace = Workspace(
        {
            "core/strings.py": "def normalize_string_prefix(text):\n    return text\n",
            "core/numbers.py": "def normalize_number(text):\n    return text\n",
            "tests/test_format.py": "def test_simple(case):\n    assert run(case)\n",
        }
    )
    place = ("tests/test_format.py", 2)
    first = assertion(place, test="tests/test_format.py::test_simple[comments]")
    second = assertion(place, test="tests/test_format.py::test_simple[string_prefixes]")
    leads = workspace.leads(first, second)
    assert "test-link" in leads["normalize_string_prefix"].parts
    assert "normalize_number" not in leads or "test-link" not in leads["normalize_number"].parts


def test_a_file_that_the_test_names_is_proposed_whole_though_nothing_imports_it() -> None:
    workspace = Workspace(
        {
            "src/vModel.ts": "export const vModel = {\n  created(el: string) {\n    return el\n  },\n}\n",
            "tests/hydration.spec.ts": "test('text before v-model hydration', () => {\n  expect(1).toBe(2)\n})\n",
        }
    )
    failure = assertion(("tests/hydration.spec.ts", 2), test="text before v-model hydration")
    found = [lead for lead in workspace.leads(failure).values() if lead.path == "src/vModel.ts"]
    assert found
    assert all("test-link" in lead.parts for lead in found)


def test_a_small_file_called_like_the_test_s_is_proposed_whole() -> None:
    small = "\n".join(f"def part_{number}():\n    return {number}\n" for number in range(5))
    large = "\n".join(f"def piece_{number}():\n    return {number}\n" for number in range(60))
    test = "def test_it():\n    assert run() == 1\n"
    workspace = Workspace(
        {"shop/cart.py": small, "shop/store.py": large, "tests/test_cart.py": test, "tests/test_store.py": test}
    )
    leads = workspace.leads(assertion(("tests/test_cart.py", 2)), assertion(("tests/test_store.py", 2)))
    proposed = {name for name, lead in leads.items() if "test-link" in lead.parts}
    assert proposed == {f"part_{number}" for number in range(5)}


def test_what_the_block_around_a_test_names_is_followed() -> None:
    spec = """\
RSpec.describe Shop::Cart do
  context "when empty" do
    it "costs nothing" do
      expect(1).to eq(0)
    end
  end
end
"""
    code = "module Shop\n  class Cart\n    def total\n      0\n    end\n  end\nend\n"
    workspace = Workspace({"spec/some_spec.rb": spec, "lib/shop.rb": code})
    leads = workspace.leads(assertion(("spec/some_spec.rb", workspace.line("spec/some_spec.rb", "expect"))))
    assert leads["Shop.Cart.total"].trail[:2] == ("spec/some_spec.rb:1", "names the type Cart")


@pytest.mark.parametrize("files", [1, 2, 3])
def test_a_task_finds_what_it_names_in_the_smallest_workspaces(files: int) -> None:
    texts = {f"part{number}.py": f"def thing_{number}(value):\n    return value\n" for number in range(1, files)}
    workspace = Workspace({"ranges.py": "def parse_range(text):\n    return text.split('-')\n", **texts})
    lead = workspace.leads(task="parse_range loses the end")["parse_range"]
    assert lead.score > 0


def test_a_file_named_by_a_word_that_much_code_says_counts_less() -> None:
    test = "it('names vmodel and signal', () => {\n  expect(run()).toBe(1)\n})\n"
    spoken = {f"src/part{number}.ts": f"export const part{number} = () => signal({number})\n" for number in range(20)}
    named = {f"src/{name}.ts": f"export function inner_{name}() {{\n  return 1\n}}\n" for name in ("vmodel", "signal")}
    workspace = Workspace({"tests/some.spec.ts": test, **spoken, **named})
    line = workspace.line("tests/some.spec.ts", "expect")
    leads = workspace.leads(assertion(("tests/some.spec.ts", line), test="names vmodel and signal"))
    assert leads["inner_signal"].parts["test-link"] < leads["inner_vmodel"].parts["test-link"]
