"""Which files must never be shown, and which strings inside a shown file are hidden.

The deny-list works on names and is asked before anything is scored, on every route. Masking replaces a
secret-looking string by asterisks of the same length, so that lines and columns stay true.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from ..model.values import Value
from .denied_names import Names, names_of
from .paths import is_encodable, is_git_internal
from .patterns import Pattern, path_matches, patterns_of

if TYPE_CHECKING:
    from .secrets import Masked

PLACEHOLDER = "policy"
"""What stands for a denied file in omissions: never its content, never a hash of it."""

DENY_GLOBS: tuple[str, ...] = (
    # Environment files; the committed examples hold no secrets.
    ".env", ".env.*", "*.env", ".envrc", "!.env.example", "!.env.sample", "!.env.template", "!.env.dist",
    "!.env.defaults", "!example.env", "!sample.env",
    # Private keys, certificates with keys, keystores.
    "*.pem", "*.key", "*.p8", "*.p12", "*.pfx", "*.ppk", "*.jks", "*.jceks", "*.keystore", "*.bks", "*.kdb", "*.kdbx",
    "*.asc.key", "*.gpg", "*.pgp", "*.keychain", "*.keychain-db", "*.ovpn", "*.mobileprovision", "*.snk",
    "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "id_xmss*", "!id_rsa*.pub", "!id_dsa*.pub", "!id_ecdsa*.pub",
    "!id_ed25519*.pub", "*_rsa", "*_dsa", "*_ecdsa", "*_ed25519", "ssh_host_*_key",
    # Credentials of package managers, clouds, databases and tools.
    ".npmrc", ".yarnrc", ".yarnrc.yml", ".pypirc", ".netrc", "_netrc", ".git-credentials", ".dockercfg", ".pgpass",
    "pgpass.conf", ".my.cnf", ".mylogin.cnf", ".htpasswd", ".boto", ".s3cfg", ".passwd-s3fs", ".vault-token",
    ".vault_pass*", "vault_pass*.txt", ".terraformrc", "terraform.rc", "*.tfstate", "*.tfstate.*", "*.auto.tfvars",
    "*.secret.tfvars", "secrets.tfvars", ".databrickscfg", ".credentials", "credentials", "credentials.json",
    "credentials.xml", "credentials.toml", "credentials.yml.enc", "credentials.y?ml", "client_secret*.json",
    "service-account*.json", "service_account*.json", "serviceaccount*.json", "*-service-account.json",
    "*firebase-adminsdk*.json", "gcloud*.json", "application_default_credentials.json", "google-services.json",
    "GoogleService-Info.plist", "accessTokens.json", "azureProfile.json", "kubeconfig", "*.kubeconfig",
    "secret.json", "secrets.json", "secret.y?ml", "secrets.y?ml", "secret.toml", "secrets.toml", "secrets.properties",
    "secrets.env", "secret_token.rb", "master.key", ".secrets", ".secrets.*", "!.secrets.baseline", "auth.json",
    "oauth_token*", "token.json", ".token", "*.token", "settings-security.xml", "gradle-secrets.properties",
    "wp-config.php", ".ftpconfig", "sftp-config.json", ".remote-sync.json", "filezilla.xml", "recentservers.xml",
    ".bash_history", ".zsh_history", ".python_history", ".psql_history", ".mysql_history", ".node_repl_history",
    ".irb_history", ".rediscli_history",
    # Whole folders.
    ".ssh/", ".gnupg/", ".aws/", ".azure/", ".gcloud/", ".kube/", ".docker/config.json", ".config/gcloud/",
    ".config/gh/", ".secrets/", ".password-store/", "secrets/*.y?ml", "secrets/*.json", "secrets/*.txt",
)  # fmt: skip
"""Gitignore syntax; `y?ml` entries are expanded to `yml` and `yaml`. Names collected from the ignore and
deny lists that scanners publish (gitleaks, truffleHog, gitrob's signatures), kept to files whose purpose
is to hold secrets."""


_MIN_SECRET_NAME = 20
"""Characters of the shortest secret that a pattern knows."""

SHORT_LENGTH, REMEMBERED_LENGTH = 400, 200_000
"""Characters of the texts whose masked form is remembered: names and reasons are quick, and would push files out."""

TOGETHER = 80_000
"""About as many characters are looked through at once."""

_HAS_DIGIT = re.compile("[0-9]")


def _expanded(globs: Iterable[str]) -> list[str]:
    return [form for glob in globs for form in _forms(glob)]


def _forms(glob: str) -> tuple[str, ...]:
    return (glob.replace("y?ml", "yml"), glob.replace("y?ml", "yaml")) if "y?ml" in glob else (glob,)


class PrivacyPolicy(Value):
    """The deny-list and masking of one workspace.

    `rules` are the project's and the administrator's further globs in gitignore syntax: they add to the
    built-in list and cannot take away from it. `denied_targets` are files that a link with a denied name
    leads to.
    """

    rules: tuple[str, ...] = ()
    denied_targets: frozenset[str] = frozenset()
    masks: bool = True

    def denied(self, path: str) -> bool:
        """True when nothing of canonical `path` may be shown. Names are compared without regard to case.

        For a link, ask with the link's name and with the target's.
        """
        folder, _, name = path.rpartition("/")
        if path in self.denied_targets or _denied_name(name) or (folder and _denied_folder(folder)):
            return True
        if not (self.rules or _leads_deep(folder)):
            return False
        lowered = path.lower()
        return path_matches(_deep_patterns(), lowered) or path_matches(_rules(self.rules), lowered)

    def mask(self, text: str) -> Masked:
        """`text` with secret-looking strings hidden; same length, same lines."""
        if not self.masks:
            from .secrets import Masked

            return Masked(text, 0)
        return _remembered_mask(text) if SHORT_LENGTH < len(text) <= REMEMBERED_LENGTH else _masked(text)

    def mask_all(self, texts: Sequence[str]) -> list[Masked]:
        """`mask` of each text; small ones together cost half of what they cost one by one."""
        from .secrets import Masked, mask_all

        if not self.masks:
            return [Masked(text, 0) for text in texts]
        return [masked for some in _together(texts) for masked in mask_all(some)]

    def denying(self, targets: Iterable[str]) -> PrivacyPolicy:
        """The same policy that also denies `targets`."""
        return PrivacyPolicy(self.rules, self.denied_targets | frozenset(targets), self.masks)


def _together(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    start = size = 0
    for end, text in enumerate(texts, start=1):
        size += len(text)
        if size >= TOGETHER or end == len(texts):
            yield texts[start:end]
            start, size = end, 0


@lru_cache(maxsize=256)
def _remembered_mask(text: str) -> Masked:
    # One request after the other shows the same files; looking for secrets costs more than reading them.
    return _masked(text)


def _masked(text: str) -> Masked:
    from .secrets import mask_secrets  # brings numpy with it, which a start can do without

    return mask_secrets(text)


@lru_cache(maxsize=16)
def _rules(globs: tuple[str, ...]) -> tuple[Pattern, ...]:
    # A rule never re-includes: negations are dropped, so that order cannot open a hole.
    return patterns_of(glob.lower() for glob in globs if not glob.lstrip().startswith("!"))


class _NameRules(Value):
    """The built-in list without the globs that have a slash inside; a name that `exempt` holds is not denied."""

    files: Names
    folders: Names
    exempt: Names


@lru_cache(maxsize=1)
def _name_rules() -> _NameRules:
    globs = [glob.lower() for glob in _expanded(DENY_GLOBS) if "/" not in glob.rstrip("/")]
    denied = [glob for glob in globs if not glob.startswith("!")]
    return _NameRules(
        files=names_of(glob for glob in denied if not glob.endswith("/")),
        folders=names_of(glob.rstrip("/") for glob in denied),
        exempt=names_of(glob[1:] for glob in globs if glob.startswith("!")),
    )


@lru_cache(maxsize=1 << 14)
def _denied_name(name: str) -> bool:
    """Whether a file's own name is denied; half of a workspace's files share theirs with others."""
    if is_git_internal(name) or not is_encodable(name):
        return True
    rules, lowered = _name_rules(), name.lower()
    return (rules.files.hold(lowered) and not rules.exempt.hold(lowered)) or _holds_secret(name)


@lru_cache(maxsize=1 << 14)
def _denied_folder(folder: str) -> bool:
    """Whether a folder on the way is denied by its name."""
    if is_git_internal(folder) or not is_encodable(folder):
        return True
    return any(map(_denied_part, folder.lower().split("/"))) or _holds_secret(folder)


@lru_cache(maxsize=1 << 14)
def _denied_part(lowered: str) -> bool:
    rules = _name_rules()
    return rules.folders.hold(lowered) and not rules.exempt.hold(lowered)


def _holds_secret(name: str) -> bool:
    """Whether the name itself is a secret; a path is shown everywhere and cannot be masked."""
    return len(name) >= _MIN_SECRET_NAME and _HAS_DIGIT.search(name) is not None and _masked(name).count > 0


_DEEP_GLOBS = tuple(glob.lower() for glob in _expanded(DENY_GLOBS) if "/" in glob.rstrip("/"))
_DEEP_FOLDERS = frozenset(glob.partition("/")[0] for glob in _DEEP_GLOBS)


@lru_cache(maxsize=1 << 14)
def _leads_deep(folder: str) -> bool:
    """Whether globs with a slash inside may speak of what lies below the folder."""
    return not _DEEP_FOLDERS.isdisjoint(folder.lower().split("/"))


@lru_cache(maxsize=1)
def _deep_patterns() -> tuple[Pattern, ...]:
    return patterns_of(f"**/{glob}" for glob in _DEEP_GLOBS)
