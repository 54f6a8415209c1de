#!/usr/bin/env python3
"""Lists every HTML page that links reach, read from disk with Python's own HTML parser: an answer to compare a crawl with
that shares no code with it.

    link-walk.py --root DIR --origin http://127.0.0.1:8901 [--start /] [--depth 5] [--robots FILE]

Prints one absolute URL a line, sorted. Follows a, area, frame, iframe and navigational link elements; honours base,
rel=nofollow, robots metas and the Disallow and Allow prefixes of a robots file for "*"; counts what a plain web server
would answer with 200 and text/html.
"""
import argparse
from collections import deque
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, unquote, urldefrag, urljoin, urlsplit

LINK_ATTRIBUTES = {"a": "href", "area": "href", "frame": "src", "iframe": "src", "link": "href"}
# Relations that lead to files a page needs, not to other pages.
RESOURCES = {"stylesheet", "icon", "preload", "prefetch", "preconnect", "dns-prefetch", "manifest", "modulepreload"}
INDEX_FILES = ("index.html", "index.zh-cn.html")


class Links(HTMLParser):
    def __init__(self, url):
        super().__init__()
        self.url = self.base = url
        self.found = []
        self.follow = True

    def handle_starttag(self, tag, attributes):
        values = {name: value or "" for name, value in reversed(attributes)}
        relations = set(values.get("rel", "").lower().split())
        if tag == "base" and "href" in values and self.base == self.url:
            self.base = urljoin(self.url, values["href"])
        elif tag == "meta" and values.get("name", "").lower() == "robots":
            content = values.get("content", "").lower()
            self.follow = self.follow and "nofollow" not in content and "none" not in content
        elif tag in LINK_ATTRIBUTES and "nofollow" not in relations:
            if tag != "link" or not relations & RESOURCES:
                self.found.append(values.get(LINK_ATTRIBUTES[tag], ""))

    def targets(self):
        for href in self.found if self.follow else []:
            try:
                yield urldefrag(urljoin(self.base, href.strip()))[0]
            except ValueError:  # not a URL
                continue


def rules_of(robots):
    """Prefixes of the group for every agent, longest first; Allow wins ties."""
    rules = []
    for line in robots.read_text().splitlines() if robots else []:
        field, _, value = line.partition(":")
        if field.strip().lower() in ("allow", "disallow") and value.strip():
            rules.append((value.strip(), field.strip().lower() == "allow"))
    return sorted(rules, key=lambda rule: (-len(rule[0]), not rule[1]))


def is_allowed(rules, target):
    return next((allows for prefix, allows in rules if target.startswith(prefix)), True)


def file_of(root, path):
    file = root / unquote(path).lstrip("/")
    if path.endswith("/"):
        file = next((file / name for name in INDEX_FILES if (file / name).is_file()), file)
    return file


def walk(root, origin, start, depth, rules):
    pages = set()
    seen = {start}
    queue = deque([(start, 0)])
    while queue:
        target, at = queue.popleft()
        path = urlsplit(target).path
        file = file_of(root, path)
        if file.is_dir() and not path.endswith("/"):
            links = [origin + path + "/"]  # the server redirects; a redirect costs no depth
            step = 0
        elif file.is_file() and file.suffix in (".html", ".htm"):
            pages.add(origin + target)
            parser = Links(origin + target)
            parser.feed(file.read_text("utf-8", "replace"))
            links = parser.targets()
            step = 1
        else:
            continue
        for link in links:
            if not link.startswith(origin + "/"):
                continue
            parts = urlsplit(link)
            found = quote(unquote(parts.path), safe="/!$&'()*+,;=:@~-._") + (f"?{parts.query}" if parts.query else "")
            if found not in seen and at + step <= depth and is_allowed(rules, found):
                seen.add(found)
                queue.append((found, at + step))
    return pages


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--root", type=Path, required=True)
    options.add_argument("--origin", required=True)
    options.add_argument("--start", default="/")
    options.add_argument("--depth", type=int, default=5)
    options.add_argument("--robots", type=Path)
    chosen = options.parse_args()
    pages = walk(chosen.root, chosen.origin, chosen.start, chosen.depth, rules_of(chosen.robots))
    print("\n".join(sorted(pages)))


if __name__ == "__main__":
    main()
