"""What is known of whole files."""

from __future__ import annotations

from lsp_server.retrieval.priors import file_parts

from .test_sources import SHOP, failing_total
from .workspace_of_texts import Workspace, assertion


def test_the_best_file_of_each_part_has_one() -> None:
    workspace = Workspace(SHOP)
    scene = workspace.scene(failing_total(workspace))
    parts = file_parts(scene, tuple(workspace.leads(failing_total(workspace)).values()))
    assert max(parts["file:words"].values()) == 1.0
    assert all(0 < score <= 1 for scores in parts.values() for score in scores.values())


def test_the_file_named_like_the_test_is_the_nearest() -> None:
    workspace = Workspace(SHOP)
    parts = file_parts(workspace.scene(failing_total(workspace)), ())
    assert parts["file:test"]["shop/cart.py"] == 1.0
    assert "tests/test_cart.py" not in parts["file:test"]


def test_what_a_rust_test_imports_from_a_large_file_says_less_of_each_of_its_units() -> None:
    many = "".join(f"    pub fn call{number}(&self) -> usize {{\n        {number}\n    }}\n" for number in range(200))
    workspace = Workspace(
        {
            "Cargo.toml": '[package]\nname = "shop"\n',
            "src/lib.rs": "mod cart;\nmod price;\npub use cart::Cart;\npub use price::Price;\n",
            "src/cart.rs": f"pub struct Cart;\nimpl Cart {{\n{many}}}\n",
            "src/price.rs": "pub struct Price;\nimpl Price {\n    pub fn euro(&self) -> usize {\n        1\n    }\n}\n",
            "tests/buys.rs": "use shop::{Cart, Price};\n\n#[test]\nfn buys() {\n    assert_eq!(Price.euro(), 2);\n}\n",
        }
    )
    near = file_parts(workspace.scene(assertion(("tests/buys.rs", 5))), ())["file:test"]
    assert 0 < near["src/cart.rs"] < near["src/price.rs"]
