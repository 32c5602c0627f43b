"""A folder of source files, indexed in this process."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lsp_server.context.looking import Looking
from lsp_server.index.writer import IndexWriter, Put
from lsp_server.syntax.extract import extract
from lsp_server.syntax.languages import language_for
from lsp_server.workspace.classify import classify
from lsp_server.workspace.privacy import PrivacyPolicy
from lsp_server.workspace.reader import DiskReader
from lsp_server.workspace.roots import Roots

SHOP = {
    "shop/order.py": (
        'class Order:\n    """An order."""\n\n    def __init__(self, lines):\n        self.order_lines = lines\n\n'
        "    def subtotal_amount(self):\n        return sum(line.price for line in self.order_lines)\n"
    ),
    "shop/checkout.py": (
        "from shop.order import Order\nfrom shop.tax import add_value_tax\n\n\n"
        "def checkout_order(order: Order) -> int:\n    return add_value_tax(order.subtotal_amount())\n"
    ),
    "shop/tax.py": (
        "RATES = {'DE': 19}\n\n\ndef add_value_tax(net: int, country: str = 'DE') -> int:\n"
        "    return net + net * RATES[country] // 100\n"
    ),
    "shop/report.py": "def print_report():\n    secret_body_marker = 1\n    return secret_body_marker\n",
    "tests/test_order.py": (
        "from shop.order import Order\n\n\ndef test_empty():\n    assert Order([]).subtotal_amount() == 0\n"
    ),
    "web/cart.ts": (
        "export interface Cart {\n  items: string[];\n}\n\n"
        "export function addToCart(\n  cart: Cart,\n  item: string = 'x',\n): Cart {\n"
        "  return { items: [...cart.items, item] };\n}\n\n"
        "export const cartSize = (cart: Cart): number => cart.items.length;\n"
    ),
}


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


def look(folder: Path, files: Mapping[str, str], order: list[str] | None = None, batch: int = 100) -> Looking:
    """A Looking over `files` written below `folder`, indexed in `order`, `batch` files at a time."""
    write_files(folder, files)
    reader = DiskReader(Roots.of([folder]))
    writer = IndexWriter()
    puts = [Put(path, extract(language_for(path), files[path]), classify(path)) for path in order or files]
    snapshot = writer.snapshot
    for start in range(0, len(puts), batch):
        snapshot = writer.apply(puts[start : start + batch])
    return Looking(snapshot, reader, PrivacyPolicy())
