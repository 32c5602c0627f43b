"""Secrets: files that hold them are denied by name, strings that are them are masked the same length."""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_server.workspace.privacy import PrivacyPolicy
from lsp_server.workspace.secrets import MASK, SECRET_PATTERNS, mask_again, mask_secrets

DENIED = """
    .env .env.local prod.env config/.env.production .ENV .envrc server.key certs/server.pem id_rsa .ssh/config
    home/.ssh/known_hosts deploy_rsa release.keystore app.jks cert.p12 cert.pfx .npmrc .pypirc .netrc _netrc
    .git-credentials .aws/credentials .kube/config credentials.json client_secret_123.json service-account.json
    x-firebase-adminsdk-y.json terraform.tfstate prod.auto.tfvars secrets.yml secrets.yaml config/secrets.toml
    config/master.key .htpasswd .pgpass kubeconfig .docker/config.json secrets/db.yaml wp-config.php vault.kdbx
    .bash_history .vault-token .git/config sub/.git/HEAD id_ed25519 auth.json
""".split()  # noqa: SIM905

ALLOWED = """
    .env.example .env.sample src/env.ts environment.py src/secrets.py credentials.py keys.py id_rsa.pub
    src/key.rs monkey.py docs/secrets.md .secrets.baseline secrets/__init__.py token.go tokenizer.json package.json
    config/database.yml public.crt src/keystore.java docker/config.json .gitignore .github/workflows/x.yml
""".split()  # noqa: SIM905


@pytest.mark.parametrize("path", DENIED)
def test_files_that_hold_secrets_are_denied(path: str) -> None:
    assert PrivacyPolicy().denied(path)


@pytest.mark.parametrize("path", ALLOWED)
def test_code_that_only_speaks_of_secrets_is_not(path: str) -> None:
    assert not PrivacyPolicy().denied(path)


def test_project_rules_add_and_never_take_away() -> None:
    policy = PrivacyPolicy(rules=("internal/", "*.Confidential.md", "!.env", "!internal/"))
    assert policy.denied("internal/a.py")
    assert policy.denied("docs/plan.confidential.MD")
    assert policy.denied(".env")
    assert not policy.denied("src/a.py")


def test_targets_of_denied_links_are_denied() -> None:
    policy = PrivacyPolicy(rules=("x/",)).denying(["config/local.txt"])
    assert policy.denied("config/local.txt")
    assert policy.denied("x/y")


def token(alphabet: str, size: int, seed: int = 7) -> str:
    return "".join(random.Random(seed).choices(alphabet, k=size))


ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"

# Put together at run time, so that no scanner takes this file for a leak.
SECRETS = [
    "AKIA" + token(string.ascii_uppercase + "234567", 16),
    "ghp" + "_" + token(ALNUM, 36),
    "github" + "_pat_" + token(ALNUM, 22) + "_" + token(ALNUM, 59),
    "glpat" + "-" + token(ALNUM, 20),
    "xoxb" + "-" + token(string.digits, 12) + "-" + token(ALNUM, 24),
    "AIza" + token(ALNUM, 35),
    "sk_live" + "_" + token(ALNUM, 24),
    "sk-ant" + "-api03-" + token(ALNUM, 80),
    "sk-proj" + "-" + token(ALNUM, 40),
    "hf" + "_" + token(ALNUM, 34),
    "npm" + "_" + token(ALNUM, 36),
    "pypi" + "-AgEIcHlwaS5vcmc" + token(ALNUM, 70),
    "SG" + "." + token(ALNUM, 22) + "." + token(ALNUM, 43),
    "dop_v1" + "_" + token(HEX, 64),
    "eyJhbGciOiJIUzI1NiJ9" + ".eyJ" + token(ALNUM, 30) + "." + token(ALNUM, 43),
    token(string.digits, 9) + ":AA" + token(ALNUM, 33),
]


@pytest.mark.parametrize("secret", SECRETS, ids=lambda secret: secret[:6])
def test_each_kind_of_token_is_masked_and_nothing_around_it(secret: str) -> None:
    text = f'first = 1\nkey = "{secret}"  # note\r\nlast = 2\n'
    masked = mask_secrets(text)
    assert masked.count == 1
    assert len(masked.text) == len(text)
    assert secret not in masked.text
    assert secret[4:-4] not in masked.text
    assert masked.text.replace(MASK, "").startswith('first = 1\nkey = "')
    assert masked.text.endswith('"  # note\r\nlast = 2\n')


def test_the_body_of_a_private_key_is_masked_line_by_line() -> None:
    body = "\n".join(token(ALNUM + "+/", 64, seed) for seed in range(5))
    text = f"a\n-----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----\nb\n"
    masked = mask_secrets(text).text
    assert masked.count("\n") == text.count("\n")
    assert not any(line in masked for line in body.split("\n"))
    assert masked.endswith("-----END RSA PRIVATE KEY-----\nb\n")
    cut = text[: text.index("-----END")]
    assert body[:64] not in mask_secrets(cut).text


def test_passwords_in_urls_and_telling_names_are_masked() -> None:
    url = "postgres://app:" + token(ALNUM, 12) + "@db.internal/x"
    assert mask_secrets(url).text == "postgres://app:" + MASK * 12 + "@db.internal/x"
    value = token(ALNUM, 32, 11)
    for line in ('client_secret = "{}"', "'Api-Key': '{}',", "const accessToken: string = `{}`;", 'PASSWORD := "{}"'):
        assert value not in mask_secrets(line.format(value)).text
    aws, azure = token(ALNUM, 40, 3), token(ALNUM, 86, 4) + "=="
    assert aws not in mask_secrets(f"aws_secret_access_key = {aws}\n").text
    assert aws not in mask_secrets(f'"SecretAccessKey": "{aws}"').text
    assert azure not in mask_secrets(f"AccountName=x;AccountKey={azure};End=y").text


@pytest.mark.parametrize(
    "text",
    [
        "https://example.com/a:b@c", "redis://user:password@localhost", "http://${USER}:${PASS}@host/x",
        'password = "your-password-goes-here"', 'api_key = "EXAMPLE_KEY_1234567890"', 'token = "<|endoftext|>"',
        "-----BEGIN PRIVATE KEY-----", 'if "PRIVATE KEY-----" in text and "-----BEGIN PRIVATE KEY-----" in text:',
        "sha = 'd41d8cd98f00b204e9800998ecf8427e'", 'secret_key = settings.SECRET_KEY', "AKIA", "ghp_short",
        'password: string = "aaaaaaaaaaaaaaaaaaaaaaaa"', "commit 2fd4e1c67a2d28fced849ee1bb76e7391b93eb12",
    ],
)  # fmt: skip
def test_code_that_only_looks_alike_is_left_alone(text: str) -> None:
    assert mask_secrets(text).count == 0


def test_masking_can_be_switched_off_but_the_deny_list_cannot() -> None:
    policy = PrivacyPolicy(masks=False)
    assert policy.mask(SECRETS[0]).text == SECRETS[0]
    assert policy.denied(".env")


@given(st.lists(st.one_of(st.sampled_from(SECRETS), st.text(alphabet="ab =\"'\n:/@", max_size=12)), max_size=8))
def test_masking_keeps_length_and_lines_and_is_stable(pieces: list[str]) -> None:
    text = " ".join(pieces)
    masked = mask_secrets(text).text
    assert len(masked) == len(text)
    assert [at for at, char in enumerate(masked) if char in "\r\n"] == [
        at for at, char in enumerate(text) if char in "\r\n"
    ]
    assert mask_secrets(masked).text == masked


@pytest.mark.parametrize("literal", sorted({literal.decode() for one in SECRET_PATTERNS for literal in one.literals}))
def test_no_pattern_stalls_on_long_runs_of_its_own_letters(literal: str) -> None:
    for filler in ("a" * 30, "A1" * 400, "-----", "eyJ."):
        text = (literal + filler) * 200
        assert len(mask_secrets(text).text) == len(text)


def test_a_megabyte_without_secrets_comes_back_as_it_is() -> None:
    text = "def function(argument):\n    return argument + 1\n" * 20_000
    assert mask_secrets(text).text is text


SECRET_LINES = st.sampled_from(
    [
        "x = 1\n",
        "é = 'plain'\n",
        'password = "hunter2hunter2Hunter3"\n',
        "token = ghp_" + "a1B2" * 9 + "\n",
        "db = postgres://me:s3cr3tpw@host/db\n",
        "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEpAIBAAKCAQEA" * 4 + "\n-----END RSA PRIVATE KEY-----\n",
    ]
)


@given(
    lines=st.lists(SECRET_LINES, max_size=6),
    at=st.integers(0, 200),
    size=st.integers(0, 30),
    new=SECRET_LINES | st.text(max_size=5),
)
def test_masking_the_changed_lines_again_is_masking_all(lines: list[str], at: int, size: int, new: str) -> None:
    before = "".join(lines)
    at = min(at, len(before))
    after = before[:at] + new + before[at + size :]
    assert mask_again(mask_secrets(before), after, at, at + len(new)).text == mask_secrets(after).text


@given(
    st.lists(
        st.sampled_from([*SECRETS, "api_key", "word", " ", "=", "'", '"', "a1B2c3D4e5F6g7H8", "/", ":"]), max_size=9
    )
)
def test_short_texts_are_masked_as_long_ones_are(pieces: list[str]) -> None:
    text = "".join(pieces)
    padding = "\n" + " x\n" * 200
    assert mask_secrets(text).text == mask_secrets(text + padding).text[: len(text)]
