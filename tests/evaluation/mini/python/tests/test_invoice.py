from billing import Invoice


def test_gross_rounds_half_a_cent_up():
    invoice = Invoice("de").add("tea", 0.5, "reduced").add("cup", 0.5, "reduced")
    assert invoice.net() == 1
    invoice.add("spoon", 1.5, "reduced")
    assert invoice.gross() == 2.68


def test_archive(tmp_path):
    assert tmp_path
