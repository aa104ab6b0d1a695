"""The Debian packages: what can be known of them without building them. tests/fresh builds, installs and removes them."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = re.search(r'RETORT_VERSION "(.+)"', (ROOT / "include/retort.h").read_text())[1]


def group(*names):
    rows = [line.split() for line in (ROOT / "scripts/packages").read_text().splitlines() if not line.startswith("#")]
    return {row[1] for row in rows if row and row[0] in names}


def test_the_changelog_begins_with_this_version():
    assert (ROOT / "debian/changelog").read_text().startswith(f"retort ({VERSION}) ")


def test_what_the_packages_are_built_with_is_installed_by_make_deb():
    field = re.search(r"^Build-Depends:(.*?)^\S", (ROOT / "debian/control").read_text(), re.MULTILINE | re.DOTALL)[1]
    asked = [re.findall(r"[a-z][a-z0-9.+-]+", re.sub(r"\(.*?\)", "", one)) for one in field.split(",")]
    ours = group("build", "deb") | {"debhelper-compat"}
    assert [one for one in asked if not set(one) & ours] == []


def test_what_retort_runs_is_depended_on_or_recommended():
    retort = (ROOT / "debian/control").read_text().split("\n\n")[1]
    for package in ("python3,", "nodejs", "uidmap", "python3-numpy", "python3-pandas", "python3-matplotlib"):
        assert package in retort


def test_service_and_package_agree():
    service = (ROOT / "contrib/systemd/retort.service").read_text()
    assert "$RETORT_SERVE_OPTIONS" in service and "EnvironmentFile=-/etc/default/retort" in service
    assert "RETORT_SERVE_OPTIONS=" in (ROOT / "debian/retort.default").read_text()
    assert "SocketGroup=retort" in (ROOT / "contrib/systemd/retort.socket").read_text()
    assert re.search(r"adduser --system .*--group .* retort$", (ROOT / "debian/retort.postinst").read_text(), re.MULTILINE)
    # Stopping the socket has to stop the service, because that alone is what the package does before its files change.
    assert "Requires=retort.socket" in service and re.search(r"^After=.*retort\.socket", service, re.MULTILINE)
