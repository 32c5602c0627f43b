"""The pipeline over a small workspace: what an output without a known failure gives."""

from __future__ import annotations

from lsp_server.context.build import Means, build_context
from lsp_server.index.writer import IndexWriter, Put
from lsp_server.model.candidate import Reason
from lsp_server.model.errors import SourceMissing
from lsp_server.model.request import BuildRequest, FailureOutput
from lsp_server.model.source import SourceText
from lsp_server.syntax.extract import extract
from lsp_server.syntax.languages import language_for
from lsp_server.text.hashing import content_hash
from lsp_server.text.line_table import split_lines
from lsp_server.text.tokens import EstimateCounter
from lsp_server.workspace.privacy import PrivacyPolicy

FILES = {
    "shop/discount.py": "def best_discount(codes):\n    return max(codes)\n",
    "shop/tax.py": "def add_tax(net):\n    return net * 2\n",
    "shop/order.py": "def subtotal(order):\n    return sum(order)\n",
    "shop/stock.py": "def take(stock, sku):\n    return stock.pop(sku)\n",
}


class Reader:
    def read(self, path: str) -> SourceText:
        if path not in FILES:
            raise SourceMissing(path)
        lines, ends = split_lines(FILES[path])
        return SourceText(path, FILES[path], lines, ends, content_hash(FILES[path]))

    def allowed(self, path: str) -> bool:
        return True


def test_an_output_that_no_grammar_knows_is_searched_for_its_last_words() -> None:
    snapshot = IndexWriter().apply([Put(path, extract(language_for(path), text)) for path, text in FILES.items()])
    request = BuildRequest(failure_output=(FailureOutput("something odd about best_discount happened"),))
    pack = build_context(snapshot, request, Means(Reader(), PrivacyPolicy(), EstimateCounter()))
    assert pack.failures == ()
    first = pack.selection.items[0]
    assert (first.path, first.reason) == ("shop/discount.py", Reason.SEARCH)
