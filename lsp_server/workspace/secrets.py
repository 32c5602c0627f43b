"""Strings that are almost surely secrets, by a short list of high-precision patterns.

A secret is a long word. So a text is first split, fast, into words of the characters that secrets are made
of; only the few long ones are searched for the patterns' literals, and a pattern is tried on the text only
when one of its literals was there. All quantifiers are bounded and no pattern starts with a repetition, so
matching is linear. Prefixes and lengths are the issuers' own, as collected in gitleaks'
`config/gitleaks.toml` (MIT) and GitHub's list of supported secret scanning patterns, unless said otherwise.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from ..model.values import Value
from ..text.late_pattern import late_pattern

MASK = "*"
MIN_GENERIC_ENTROPY = 3.5
"""Bits a character of a quoted value given to a name like `api_key`; gitleaks' `generic-api-key` asks the same."""

MAX_KEY_BLOCK = 20_000
"""Characters of a private key block at most; an RSA key of 16,384 bits in PEM takes 12,700."""


class Masked(Value):
    """A text of the same length with `count` secrets hidden."""

    text: str
    count: int


class SecretPattern(Value):
    """One kind of secret; `group` of `regex` is what is hidden. Most texts hint at none, so it is compiled late."""

    id: str
    literals: tuple[bytes, ...]
    regex: re.Pattern[str]
    group: int = 0


def _kind(id: str, literals: str, regex: str, group: int = 0) -> SecretPattern:
    return SecretPattern(id, tuple(literals.encode().split()), late_pattern(regex), group)


_END = r"(?![A-Za-z0-9_-])"
_START = r"(?<![A-Za-z0-9])"

SECRET_PATTERNS: tuple[SecretPattern, ...] = (
    # AWS: key ids are four letters and 16 of base 32 (IAM reference, "Understanding unique ID prefixes").
    _kind("aws-key-id", "AKIA ASIA ABIA ACCA", _START + r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])"),
    # GitHub: "Behind GitHub's new authentication token formats" (2021) and fine-grained tokens.
    _kind("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", _START + r"gh[pousr]_[A-Za-z0-9]{36,255}" + _END),
    _kind("github-fine-grained", "github_pat_", _START + r"github_pat_[A-Za-z0-9_]{36,255}"),
    # GitLab: "Token prefixes" in its administrator manual.
    _kind("gitlab-token", "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat-",
          _START + r"gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat)-[A-Za-z0-9_=.-]{20,300}"),
    # Slack: "Token types".
    _kind("slack-token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe. xoxe- xapp-",
          _START + r"(?:xox[abeoprs][.-]|xapp-\d-)[A-Za-z0-9.-]{15,250}"),
    _kind("slack-webhook", "hooks.slack.com/",
          r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/_-]{30,100})", 1),
    # Google: API keys, OAuth client secrets and access tokens.
    _kind("google-api-key", "AIza", _START + r"AIza[0-9A-Za-z_-]{35}" + _END),
    _kind("google-oauth", "GOCSPX- ya29.", _START + r"(?:GOCSPX-[A-Za-z0-9_-]{28}|ya29\.[A-Za-z0-9_-]{20,500})"),
    # Payment, messaging and mail services.
    _kind("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_ whsec_",
          _START + r"(?:(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,250}|whsec_[A-Za-z0-9+/=]{24,100})"),
    _kind("square-token", "sq0atp- sq0csp- EAAA",
          _START + r"(?:sq0(?:atp|csp)-[A-Za-z0-9_-]{22,60}|EAAA[A-Za-z0-9_-]{60})" + _END),
    _kind("sendgrid-key", "SG.", _START + r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,60}"),
    _kind("twilio-key", "SK", _START + r"SK[0-9a-f]{32}(?![A-Za-z0-9])"),
    _kind("mailgun-key", "key-", _START + r"key-[0-9a-f]{32}(?![A-Za-z0-9])"),
    _kind("mailchimp-key", "-us", _START + r"[0-9a-f]{32}-us\d{1,2}(?![A-Za-z0-9])"),
    _kind("telegram-bot", ":AA", _START + r"\d{8,10}:AA[A-Za-z0-9_-]{32,33}" + _END),
    _kind("discord-webhook", "/api/webhooks/", r"/api/webhooks/\d{17,20}/([A-Za-z0-9_-]{60,80})", 1),
    # Model providers.
    _kind("openai-key", "sk-proj- sk-svcacct- sk-admin- T3BlbkFJ",
          _START + r"sk-(?:(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,250}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})"),
    _kind("anthropic-key", "sk-ant-", _START + r"sk-ant-[A-Za-z0-9_-]{20,250}"),
    _kind("openrouter-key", "sk-or-v1-", _START + r"sk-or-v1-[0-9a-f]{64}"),
    _kind("huggingface-token", "hf_", _START + r"hf_[A-Za-z0-9]{34,40}" + _END),
    # Package registries.
    _kind("npm-token", "npm_ _authToken=",
          r"(?:(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}|(?<=_authToken=)[A-Za-z0-9_=/+-]{20,200})"),
    _kind("pypi-token", "pypi-AgE", r"pypi-AgE[A-Za-z0-9_-]{50,1000}"),
    _kind("rubygems-token", "rubygems_", _START + r"rubygems_[0-9a-f]{48}"),
    _kind("docker-token", "dckr_pat_", _START + r"dckr_pat_[A-Za-z0-9_-]{27}"),
    # Clouds and infrastructure.
    _kind("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", _START + r"do[opr]_v1_[0-9a-f]{64}"),
    _kind("databricks-token", "dapi", _START + r"dapi[0-9a-f]{32}(?:-\d)?(?![A-Za-z0-9])"),
    _kind("vault-token", "hvs. hvb. hvr.", _START + r"hv[sbr]\.[A-Za-z0-9_-]{24,300}"),
    _kind("terraform-token", ".atlasv1.", _START + r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}"),
    _kind("shopify-token", "shpat_ shpca_ shppa_ shpss_", _START + r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    _kind("grafana-token", "glsa_ glc_", _START + r"(?:glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}|glc_[A-Za-z0-9+/=]{32,400})"),
    _kind("newrelic-key", "NRAK- NRJS-", _START + r"(?:NRAK-[A-Z0-9]{27}|NRJS-[0-9a-f]{19})"),
    _kind("linear-key", "lin_api_", _START + r"lin_api_[A-Za-z0-9]{40}"),
    _kind("atlassian-token", "ATATT3", _START + r"ATATT3[A-Za-z0-9_=-]{60,250}"),
    _kind("doppler-token", "dp.pt.", _START + r"dp\.pt\.[A-Za-z0-9]{43}"),
    _kind("sentry-token", "sntrys_ sntryu_", _START + r"sntry[su]_[A-Za-z0-9+/=_-]{40,300}"),
    _kind("age-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    # JSON web tokens: two base64 objects (RFC 7519 §3; `{"` encodes to `eyJ`) and a signature.
    _kind("jwt", "eyJ",
          r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{20,2000}"),
)  # fmt: skip

# RFC 7468 §2 and OpenPGP armour; the body is hidden up to the END line or the end of the base64 lines.
_KEY_BLOCK = late_pattern(r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
_KEY_SIGN = "PRIVATE KEY"
_KEY_BODY = late_pattern(r"[A-Za-z0-9+/=\s\\\"',:.-]*")

# Password inside a URL (RFC 3986 §3.2.1, the deprecated `user:password`).
_URL_PASSWORD = late_pattern(r"://[^\s:/@\"'`<>{}$]{0,100}:([^\s/@\"'`<>{}$%*]{3,100})@(?=[A-Za-z0-9\[])")

# A key of fixed shape after its name: AWS secret access keys, Azure storage account keys.
_NAMED_KEY = late_pattern(
    r"(?i)(?:aws_?secret(?:_?access)?_?key|secretaccesskey|accountkey)[\"']?\s{0,5}[=:]\s{0,5}[\"']?"
    r"([A-Za-z0-9/+]{86}==|[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"
)

# Quoted value of a telling name; after gitleaks' `generic-api-key`, narrowed to quoted strings.
_GENERIC = late_pattern(
    r"(?i)(?:api[_-]?key|secret[_-]?key|client[_-]?secret|app[_-]?secret|access[_-]?token|auth[_-]?token"
    r"|refresh[_-]?token|bearer[_-]?token|private[_-]?key|encryption[_-]?key|signing[_-]?key|password|passwd)"
    r"[\"']?\]?\s{0,5}(?::\s{0,3}string\s{0,3}|:\s{0,3}str\s{0,3})?(?::=|=>|=|:)\s{0,5}[\"'`]"
    r"([A-Za-z0-9+/=_.:~!@#%^&*-]{16,200})[\"'`]"
)

_WORD_BYTES = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_.:~!@#%^&*-"
_IN_WORD = bytes(code in _WORD_BYTES for code in range(256))
_ZERO, _NINE = b"09"
_Bytes = npt.NDArray[np.uint8]
_Longs = npt.NDArray[np.int64]
_DIGITS = re.compile(r"[0-9]")
_MIN_VALUE = 16
_MIN_NAMED_KEY = 40

_PLACEHOLDER = late_pattern(
    r"(?i)example|sample|dummy|placeholder|changeme|change[_-]me|your[_-]|my[_-]|test|fake|mock|xxxx|\*\*\*|redacted|password"
    r"|passwd|insert|replace|todo|none|null|undefined|\.\.\.|1234567|abcdef|secret[_-]|-key|_key"
)
_COMMON_PASSWORDS = frozenset(
    """
    password passwd pass pwd secret user postgres root admin guest test mysql
    """.split()  # noqa: SIM905 - a table of words
)


def mask_secrets(text: str) -> Masked:
    """`text` with every secret-looking string replaced by asterisks, line ends kept.

    Give the whole file and slice afterwards: a slice that starts inside a key block shows no sign of it.
    """
    if len(text) <= _SHORT and not _has_sign(text):
        return Masked(text, 0)
    return mask_all((text,))[0]


def mask_all(texts: Sequence[str]) -> list[Masked]:
    """`mask_secrets` of each text. A dozen small ones at once cost a third of what they cost one by one."""
    return [_masked(text, spans) for text, spans in zip(texts, _secret_spans(texts), strict=True)]


def _masked(text: str, found: list[tuple[int, int]]) -> Masked:
    spans = _merged(sorted(found))
    if not spans:
        return Masked(text, 0)
    pieces: list[str] = []
    at = 0
    for start, end in spans:
        pieces.append(text[at:start])
        pieces.append(re.sub(r"[^\r\n]", MASK, text[start:end]))
        at = end
    pieces.append(text[at:])
    return Masked("".join(pieces), len(spans))


def mask_again(masked: Masked, text: str, start: int, new_end: int) -> Masked:
    """`mask_secrets(text)`, where `masked` is that of a text of which some characters have become `start..new_end`
    of `text`. Only the changed lines are looked at, unless there is talk of private keys: all
    other secrets stand in one line."""
    if _KEY_SIGN in masked.text or _KEY_SIGN in text:
        return mask_secrets(text)
    begin = text.rfind("\n", 0, start) + 1
    end = text.find("\n", new_end)
    end = len(text) if end < 0 else end
    changed = mask_secrets(text[begin:end])
    behind = len(masked.text) - (len(text) - end)
    return Masked(masked.text[:begin] + changed.text + masked.text[behind:], masked.count + changed.count)


def _secret_spans(texts: Sequence[str]) -> list[list[tuple[int, int]]]:
    """Half-open code point spans of the secrets of each text; may overlap, in no order."""
    found: list[list[tuple[int, int]]] = []
    for text, suspects in zip(texts, _suspects(texts), strict=True):
        spans = [match.span(each.group) for each in suspects.patterns for match in each.regex.finditer(text)]
        if _KEY_SIGN in text:
            spans += _key_blocks(text)
        if "://" in text:
            spans += _url_passwords(text)
        if suspects.words:
            spans += _telling_values(text, suspects.words)
        found.append(spans)
    return found


class _Suspects(Value):
    """What of a text is worth a closer look: patterns of which a literal is there, and where words that may be
    the value of a telling name start, in order."""

    patterns: list[SecretPattern]
    words: list[int]


def _suspects(texts: Sequence[str]) -> list[_Suspects]:
    joined = "\n".join(("", *texts, "")).encode("ascii", "replace")
    marks = np.frombuffer(joined.translate(_IN_WORD), dtype=np.uint8)
    edges = np.flatnonzero(marks[1:] != marks[:-1]) + 1
    starts, sizes = edges[::2], edges[1::2] - edges[::2]
    long = sizes >= _MIN_VALUE
    starts, sizes = starts[long], sizes[long]
    ends = sizes.cumsum()
    places = np.repeat(starts - (ends - sizes), sizes)
    places += np.arange(len(places))
    letters = np.frombuffer(joined, dtype=np.uint8)[places]  # of all long words
    bases = np.array([1, *(len(text) + 1 for text in texts[:-1])], dtype=np.int64).cumsum()
    owners = bases.searchsorted(starts, side="right") - 1
    patterns: list[dict[str, SecretPattern]] = [{} for _ in texts]
    codes = _trigrams(letters)
    hits = np.flatnonzero(_IN_LITERAL[codes])
    for code, word in set(zip(codes[hits].tolist(), ends.searchsorted(hits, side="right").tolist(), strict=True)):
        start = int(starts[word])
        for pattern, literal in _HINTS[code]:
            if joined.find(literal, start, start + int(sizes[word])) >= 0:
                patterns[int(owners[word])][pattern.id] = pattern
    words = _varied_words(letters, ends, sizes, owners)
    bounds = words.searchsorted(owners.searchsorted(np.arange(len(texts) + 1))).tolist()
    at = (starts - bases[owners])[words].tolist()
    return [
        _Suspects(list(hinted.values()), at[first:end])
        for hinted, first, end in zip(patterns, bounds, bounds[1:], strict=False)
    ]


def _varied_words(letters: _Bytes, ends: _Longs, sizes: _Longs, owners: _Longs) -> _Longs:
    """The words with a digit and something else, and very long ones of texts in which a word has a digit.

    `letters` are those of all words, `ends` where each ends there, `owners` the texts, ascending."""
    digits = np.zeros(len(letters) + 1, dtype=np.int64)
    np.cumsum((letters >= _ZERO) & (letters <= _NINE), out=digits[1:])
    counts = digits[ends] - digits[ends - sizes]
    has_digit = np.bincount(owners, weights=counts) > 0
    return np.flatnonzero(((counts > 0) & (counts < sizes)) | ((sizes >= _MIN_NAMED_KEY) & has_digit[owners]))


def _trigrams(letters: _Bytes) -> npt.NDArray[np.int32]:
    """A number below 2^17 for each three characters of ASCII."""
    data = letters.astype(np.int32)
    return (data[:-2] << 10) ^ (data[1:-1] << 5) ^ data[2:]


def _rarest_trigram(literal: bytes) -> bytes:
    """Three characters of `literal`; those in a row that are rarest in code."""
    return max((literal[at : at + 3] for at in range(len(literal) - 2)), key=lambda three: sum(map(_rarity, three)))


def _rarity(code: int) -> int:
    return _BY_FREQUENCY.find(code)


_BY_FREQUENCY = b"_etaoinsrlhdcumfpgwybvkxjqz.1029876543/ETAOINSRLHDCUMFPGWYBVKXJQZ-:="
"""Roughly how often characters stand in the words of code, the most frequent first."""


def _hints() -> Mapping[int, Sequence[tuple[SecretPattern, bytes]]]:
    """Patterns and their literals by the number of a trigram of the literal."""
    hints: dict[int, list[tuple[SecretPattern, bytes]]] = {}
    for pattern in SECRET_PATTERNS:
        for literal in pattern.literals:
            is_short = len(literal) < 3  # a hexadecimal digit follows it
            threes = [literal + b"%x" % digit for digit in range(16)] if is_short else [_rarest_trigram(literal)]
            for three in threes:
                hints.setdefault(int(_trigrams(np.frombuffer(three, dtype=np.uint8))[0]), []).append((pattern, literal))
    return MappingProxyType(hints)


_HINTS = _hints()
_LITERALS = tuple(sorted({literal.decode() for pattern in SECRET_PATTERNS for literal in pattern.literals}))
_IN_LITERAL = np.zeros(1 << 17, dtype=np.bool_)
_IN_LITERAL[list(_HINTS)] = True


def _key_blocks(text: str) -> Iterator[tuple[int, int]]:
    for match in _KEY_BLOCK.finditer(text):
        end = text.find("-----END", match.end(), match.end() + MAX_KEY_BLOCK)
        if end < 0:
            body = _KEY_BODY.match(text, match.end(), match.end() + MAX_KEY_BLOCK)
            end = body.end() if body else match.end()
        # A block of a few characters is code that speaks of keys, not a key.
        if len(text[match.end() : end].strip(" \t\r\n\\\"'")) >= 32:
            yield match.end(), end


def _url_passwords(text: str) -> Iterator[tuple[int, int]]:
    for match in _URL_PASSWORD.finditer(text):
        password = match.group(1)
        if password.lower() not in _COMMON_PASSWORDS and not _PLACEHOLDER.search(password):
            yield match.span(1)


def _telling_values(text: str, words: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Values of telling names in the lines that hold one of `words`, which may be such a value."""
    if not _is_telling(text.lower()):
        return
    end = 0
    for place in words:
        if place < end:
            continue
        start = text.rfind("\n", 0, place) + 1
        end = text.find("\n", place)
        end = len(text) if end < 0 else end
        line = text[start:end]
        if _is_telling(line.lower()) and _DIGITS.search(line):
            for match in _NAMED_KEY.finditer(line):
                yield start + match.start(1), start + match.end(1)
            for match in _GENERIC.finditer(line):
                if _is_random(match.group(1)):
                    yield start + match.start(1), start + match.end(1)


_SHORT = 400
"""Characters of a text (a name, a reason) that is quicker looked through for each sign than as columns."""


def _has_sign(text: str) -> bool:
    """False for a text that holds nothing that any secret begins or comes with."""
    if _KEY_SIGN in text or "://" in text or _is_telling(text.lower()):
        return True
    return any(literal in text for literal in _LITERALS)


def _is_telling(lowered: str) -> bool:
    return "key" in lowered or "secret" in lowered or "token" in lowered or "passw" in lowered


def _is_random(value: str) -> bool:
    varied = any(char.isdigit() for char in value) and any(char.isalpha() for char in value)
    return varied and not _PLACEHOLDER.search(value) and _entropy(value) >= MIN_GENERIC_ENTROPY


def _entropy(value: str) -> float:
    """Shannon entropy in bits a character."""
    size = len(value)
    return -sum(count / size * math.log2(count / size) for count in Counter(value).values())


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in spans:
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif end > start:
            merged.append((start, end))
    return merged
