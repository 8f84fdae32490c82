#!/usr/bin/env python3
"""Files that take a machine down, for every reader of `precept`: small ones that become large, deep ones, wide ones.

    scripts/bombs.py [--program target/release/precept] [--only WORD,WORD] [--after NAME]

Each is read by the command that it is for, in its own process. Wanted are at most 600 MB, 10 s of processor time, and
either an answer (exit 0 or 1) or one line that says what is wrong (exit 2). Standard library only.
"""

import argparse
import gzip
import io
import json
import lzma
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import zipfile
import zlib

MEMORY = 600e6
SECONDS = 10
ROOT = pathlib.Path(__file__).resolve().parent.parent


class Lazy:
    """Bytes that are made when they are asked for."""

    def __init__(self, make):
        self.make = make


def lazy(make):
    return lambda *words, **named: Lazy(lambda: make(*words, **named))


def zeros(megabytes, byte=b"0"):
    """Pieces of one megabyte."""
    for _ in range(megabytes):
        yield byte * (1 << 20)


@lazy
def gz(pieces):
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=1) as file:
        for piece in pieces:
            file.write(piece)
    return out.getvalue()


def packed_xz(pieces):
    packer = lzma.LZMACompressor(preset=0)
    return b"".join([packer.compress(piece) for piece in pieces] + [packer.flush()])


def repeated(line, megabytes):
    return zeros_of((line * ((1 << 20) // len(line) + 1)), megabytes)


def zeros_of(piece, count):
    for _ in range(count):
        yield piece


xz = lazy(packed_xz)


def made_png(width, height, depth=8, kind=0, rows=None, extra=b""):
    """A PNG of black pixels, of so many rows."""
    samples = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]
    stride = (width * samples * depth + 7) // 8 + 1
    packer = zlib.compressobj(1)
    rows = height if rows is None else rows
    data = []
    whole = bytes(stride)
    many = max(1, (1 << 20) // stride)
    left = rows
    while left:
        now = min(left, many)
        data.append(packer.compress(whole * now))
        left -= now
    data.append(packer.flush())

    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0))
    palette = chunk(b"PLTE", bytes(range(256)) * 3) if kind == 3 else b""
    return b"\x89PNG\r\n\x1a\n" + head + palette + extra + chunk(b"IDAT", b"".join(data)) + chunk(b"IEND", b"")


png = lazy(made_png)


@lazy
def png_text(megabytes):
    """A PNG with a compressed text that becomes large."""
    name = b"zTXt" 
    content = b"a\0\0" + zlib.compress(b"0" * (megabytes << 20), 9)
    extra = struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
    return made_png(28, 28, extra=extra)


def jpeg(width, height, progressive=False, samples=3, scans=1, sampling=0x11):
    """A JPEG that says it is large, with hardly any data."""
    def part(marker, content):
        return bytes([0xFF, marker]) + struct.pack(">H", len(content) + 2) + content

    table = part(0xDB, b"\0" + b"\1" * 64)
    parts = b"".join(bytes([i + 1, sampling, 0]) for i in range(samples))
    frame = part(0xC2 if progressive else 0xC0, struct.pack(">BHHB", 8, height, width, samples) + parts)
    codes = b"".join(part(0xC4, bytes([kind << 4]) + bytes([1] + [0] * 15) + b"\0") for kind in (0, 1))
    out = b"\xff\xd8" + table + frame + codes
    for _ in range(scans):
        if progressive:
            scan = part(0xDA, bytes([samples]) + b"".join(bytes([i + 1, 0]) for i in range(samples)) + b"\0\0\0")
        else:
            scan = part(0xDA, bytes([samples]) + b"".join(bytes([i + 1, 0]) for i in range(samples)) + b"\0\x3f\0")
        out += scan + b"\0" * 64
    return out + b"\xff\xd9"


def npy(shape, descr="|b1", values=b"", version=1):
    text = ("{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n" % (descr, shape)).encode()
    length = struct.pack("<H", len(text)) if version == 1 else struct.pack("<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + length + text + values


@lazy
def xlsx(sheet, shared=None, extra=()):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        file.writestr("[Content_Types].xml", '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>')
        file.writestr("xl/workbook.xml", '<workbook xmlns:r="r"><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>')
        file.writestr("xl/_rels/workbook.xml.rels", '<Relationships><Relationship Id="r1" Type="r/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="r/sharedStrings" Target="sharedStrings.xml"/></Relationships>')
        for name, pieces in [("xl/worksheets/sheet1.xml", sheet), ("xl/sharedStrings.xml", shared), *extra]:
            if pieces is not None:
                with file.open(name, "w", force_zip64=True) as part:
                    for piece in pieces:
                        part.write(piece)
    return out.getvalue()


@lazy
def ods(content):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        file.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        with file.open("content.xml", "w", force_zip64=True) as part:
            for piece in content:
                part.write(piece)
    return out.getvalue()


def around(before, pieces, after):
    yield before
    yield from pieces
    yield after


SHEET = (b'<worksheet><sheetData>', b'</sheetData></worksheet>')


def sheet(*pieces):
    return around(SHEET[0], pieces, SHEET[1])


def cell(where, value):
    return ('<c r="%s"><v>%s</v></c>' % (where, value)).encode()


@lazy
def tar(name, pieces, says=None, packed=True):
    """A tar with one file, which says its size."""
    pieces = list(pieces)
    info = tarfile.TarInfo(name)
    info.size = sum(map(len, pieces)) if says is None else says
    whole = around(info.tobuf(tarfile.GNU_FORMAT), pieces, bytes(2048))
    return packed_xz(whole) if packed else b"".join(whole)


def safetensors(header, data=b"", says=None):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if says is None else says) + text + data


def rules(text_variables, rules="[]", rest=""):
    return ('{"format":"precept rules","version":3,"variables":%s,"rules":%s%s}' % (text_variables, rules, rest)).encode()


NAMED = '{"names":["a","b","c"]}'


def varint(n):
    out = b""
    while True:
        out += bytes([n & 0x7F | (0x80 if n > 0x7F else 0)])
        n >>= 7
        if not n:
            return out


def parquet(footer, says=None):
    return b"PAR1" + footer + struct.pack("<I", len(footer) if says is None else says) + b"PAR1"


@lazy
def parquet_wide(columns):
    """A footer with a schema of so many columns and no rows (Thrift, compact)."""
    def zigzag(n):
        return varint(n << 1 if n >= 0 else (-n << 1) - 1)

    root = b"\x48\x01r" + b"\x15" + zigzag(columns) + b"\x00"  # 4: name, 5: num_children
    child = lambda i: b"\x15\x00" + b"\x25\x00" + b"\x18" + varint(len(str(i)) + 1) + b"c" + str(i).encode() + b"\x00"
    elements = root + b"".join(child(i) for i in range(columns))
    schema = b"\x29" + b"\xfc" + varint(columns + 1) + elements
    return parquet(b"\x15\x02" + schema + b"\x16\x00" + b"\x19\x0c" + b"\x00")


def sparse(path, megabytes):
    with open(path, "wb") as file:
        file.truncate(megabytes << 20)


def bombs(place, run):
    """Name, what to write (a function of a path, or bytes), and the arguments, where FILE is the path."""
    learn, show, draw = ["learn", "FILE"], ["rules", "FILE"], ["data", "sudoku", "verify", "FILE"]
    solve, certify = ["solve", "FILE", "--time", "5"], ["certify", "FILE", "--time", "5"]
    good = place / "good.json"
    good.write_text('{"format":"precept rules","version":1,"variables":%s,"rules":[{"literals":[1,2,3],"sums":{"set":[1]}}]}' % NAMED)
    evidence = ["solve", str(good), "--evidence", "FILE"]
    many = lambda n, one="%d": ",".join(one % i for i in range(n))

    # What is compressed.
    yield "gzip.csv.gz", gz(repeated(b"a,b\n0,1\n1,0\n", 3000)), learn
    yield "one-line.csv.gz", gz(zeros(3000)), learn
    yield "xz.csv.xz", xz(repeated(b"a,b\n0,1\n1,0\n", 1500)), learn
    yield "gzip.json.gz", gz(zeros(3000, b" ")), show
    yield "gzip.cnf.gz", gz(around(b"p cnf 9 9\n", repeated(b"1 2 0\n", 250), b"")), solve
    yield "gzip.boards.csv.gz", gz(zeros(3000, b"1")), draw
    yield "xz.boards.csv.xz", xz(zeros(1500, b"1")), draw
    yield "gzip.evidence.csv.gz", gz(around(b"name,cost\n", repeated(b"a,1\n", 250), b"")), evidence
    yield "gzip.evidence.json.gz", gz(around(b"[", repeated(b"[],", 250), b"")), evidence
    yield "gzip.queries.jsonl.gz", gz(zeros(3000, b" ")), evidence
    yield "250.csv.gz", gz(around(b"a,b\n", repeated(b"0,1\n", 250), b"")), learn
    yield "250-short.csv.gz", gz(around(b"a\n", repeated(b"0\n", 250), b"")), learn
    yield "250.cnf.gz", gz(around(b"p cnf 9 90000000\n", repeated(b"1 0\n", 250), b"")), solve
    yield "250-one.cnf.gz", gz(around(b"p cnf 9 90000000\n", repeated(b"1 ", 250), b"0\n")), solve
    yield "250.wcnf.gz", gz(around(b"", repeated(b"1 1 0\n", 250), b"")), solve
    yield "250.opb.gz", gz(around(b"", repeated(b"+1 x1 >= 1;\n", 250), b"")), solve
    yield "250-one.opb.gz", gz(around(b"", repeated(b"+1 x1 ", 250), b">= 1;\n")), solve
    yield "250.lp.gz", gz(around(b"Minimize\n x\nSubject To\n", repeated(b" x >= 1\n", 250), b"End\n")), solve
    yield "250.smt2.gz", gz(around(b"", repeated(b"(assert true)\n", 250), b"")), solve
    yield "250.mzn.gz", gz(around(b"", repeated(b"var bool: a;\n", 250), b"")), solve
    yield "250.boards.csv.gz", gz(repeated(b"1" * 81 + b"," + b"1" * 81 + b"\n", 250)), draw
    yield "250.xlsx-text.csv.gz", gz(around(b"Plan of the week\n\n;Mo;Tu\n", repeated(b"Ann;N;D\n", 250), b"")), learn
    yield "stdin.gz", gz(repeated(b"a,b\n0,1\n1,0\n", 3000)), ["learn", "-"]
    yield "stdin-plain", zeros(4500, b"1,0\n"), ["learn", "-"]
    yield "stdin-plain.json", zeros(4500, b"    "), ["rules", "-"]
    yield "sparse.csv", lambda path: sparse(path, 5000), learn
    yield "sparse-3G.csv", lambda path: sparse(path, 3000), learn
    yield "sparse-3G.json", lambda path: sparse(path, 3000), show
    yield "sparse-3G.npy", lambda path: sparse(path, 3000), learn
    yield "sparse.png", lambda path: sparse(path, 3000), ["solve", run, "FILE"]
    yield "sparse.proof", lambda path: sparse(path, 3000), ["verify", str(good), str(good), "FILE"]

    # Workbooks.
    row = lambda i: b'<row r="%d"><c r="A%d"><v>1</v></c></row>' % (i, i)
    yield "zip.xlsx", xlsx(sheet(*zeros(2000, b" "))), learn
    yield "zip-shared.xlsx", xlsx(sheet(row(1)), around(b"<sst>", repeated(b"<si><t>a</t></si>", 1000), b"</sst>")), learn
    yield "zip-rows.xlsx", xlsx(sheet(*(row(i) for i in range(1, 1_000_000)))), learn
    yield "corner.xlsx", xlsx(sheet(b"<row>" + cell("A1", "a") + cell("XFD1048576", 1) + b"</row>")), learn
    yield "far.xlsx", xlsx(sheet(b"<row>" + cell("ZZZZZZZ99999999999", 1) + b"</row>")), learn
    yield "merged.xlsx", xlsx(around(SHEET[0], [b"<row>" + cell("A1", 1) + b"</row>"], b'</sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells></worksheet>')), learn
    diagonal = lambda n: b"".join(b"<row>" + cell("%s%d" % (letters(i), i), 1) + b"</row>" for i in range(1, n))
    yield "diagonal.xlsx", xlsx(sheet(diagonal(16000))), learn
    yield "deep.xlsx", xlsx(sheet(b"<a>" * 2_000_000)), learn
    table = lambda inner: (b'<office:document-content><office:body><office:spreadsheet><table:table table:name="a">', inner, b"</table:table></office:spreadsheet></office:body></office:document-content>")
    repeat = b'<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384" office:value-type="float" office:value="1"/></table:table-row>'
    yield "repeated.ods", ods(table(repeat)), learn
    yield "repeated-huge.ods", ods(table(repeat.replace(b"1048576", b"9" * 19).replace(b"16384", b"9" * 19))), learn
    yield "repeated-rows.ods", ods(table(repeat.replace(b"16384", b"2"))), learn

    # Tables.
    yield "wide.csv", ",".join("c%d" % i for i in range(10**6)).encode() + b"\n" + b",".join([b"1"] * 10**6) + b"\n" + b",".join([b"0"] * 10**6) + b"\n", learn
    yield "wide-part.csv", ",".join("c%d" % i for i in range(10**6)).encode() + b"\n" + b",".join([b"1"] * 10**6) + b"\n", ["learn", "FILE", "FILE"]
    yield "wide-100k.csv", ",".join("c%d" % i for i in range(10**5)).encode() + b"\n" + (b",".join([b"1"] * 10**5) + b"\n" + b",".join([b"0"] * 10**5) + b"\n") * 20, learn
    yield "wide-nobody.csv", b"," * 3 * 10**7 + b"\n", learn
    yield "wide-headless.csv", b",".join([b"1"] * 3 * 10**6) + b"\n", ["learn", "FILE", "--no-header"]
    yield "wide-check.csv", ",".join("c%d" % i for i in range(10**6)).encode() + b"\n" + b",".join([b"1"] * 10**6) + b"\n", ["check", str(good), "FILE"]
    yield "wide-fill.csv", ",".join("c%d" % i for i in range(10**6)).encode() + b"\n" + b",".join([b"1"] * 10**6) + b"\n", ["solve", str(good), "--table", "FILE", "--out", str(place / "out.csv"), "--force"]
    for name, cells in [("strings.xlsx", b'<c t="s"><v>0</v></c>')]:
        long = around(b"<sst><si><t>", zeros(1), b"</t></si></sst>")
        yield name, xlsx(sheet(*([b"<row>" + cells * 1000 + b"</row>"] * 1000)), long), learn
    spaces = b'<table:table-row><table:table-cell office:value-type="string"><text:p>' + b'<text:s text:c="1000"/>' * 3_000_000 + b"</text:p></table:table-cell></table:table-row>"
    yield "spaces.ods", ods(table(spaces)), learn
    yield "merges.xlsx", xlsx(around(SHEET[0], [diagonal(1600)], b"</sheetData><mergeCells>" + b'<mergeCell ref="A1:XFD1048576"/>' * 1_000_000 + b"</mergeCells></worksheet>")), learn
    yield "labels.csv", b"".join([b",".join(b"c%d" % i for i in range(3000)) + b"\n"] + [b",".join(b"v%d" % ((i + j) % 60) for i in range(3000)) + b"\n" for j in range(60)]), learn
    yield "quote.csv", b'a,b\n"' + b"x" * (200 << 20), learn
    yield "brackets.csv", (",".join('"c[row %d, column %d]"' % (i, 10**9 - i) for i in range(20000)) + "\n" + ",".join(["1"] * 20000) + "\n").encode(), learn
    yield "axis.csv", b'"c[row 4000000000, column 1]","c[row 1, column 4000000000]"\n1,0\n0,1\n', learn
    yield "header.npy", npy("(0, 1000000000000)"), learn
    yield "header-10M.npy", npy("(0, 10000000)"), learn
    yield "rows.npy", npy("(1000000000000, 0)"), learn
    yield "huge.npy", npy("(10000000, 10000000)"), learn
    yield "wide.npy", npy("(1, 1000000)", values=bytes(10**6)), learn
    yield "length.npy", b"\x93NUMPY\x02\x00\xff\xff\xff\xff", learn
    yield "tall.npy.gz", gz(around(npy("(%d, 1)" % (250 << 20)), zeros(250, b"\1"), b"")), learn
    yield "footer.parquet", parquet(b"", says=0x7FFFFFFF), learn
    yield "list.parquet", parquet(b"\x15\x02\x29\xfc" + varint(2**31 - 1)), learn
    yield "list-groups.parquet", parquet(b"\x15\x02\x19\x2c\x48\x01r\x15\x02\x00\x15\x00\x25\x00\x18\x01a\x00\x16\x00\x19\xfc" + varint(2**31 - 1)), learn
    yield "wide.parquet", parquet_wide(10**6), learn
    yield "deep.parquet", parquet(b"\x1c" * 1_000_000), learn

    # Pictures.
    picture = ["solve", run, "FILE"]
    yield "large.png", png(60000, 60000, rows=10), picture
    yield "100M.png", png(10000, 10000), picture
    yield "100M-16bit.png", png(10000, 10000, 16, 6), picture
    yield "100M-rgb.png", png(10000, 10000, 8, 2), picture
    yield "100M-palette.png", png(10000, 10000, 1, 3), picture
    yield "wide.png", png(100_000_000, 1, 16, 6), picture
    yield "tall.png", png(1, 100_000_000), picture
    yield "text.png", png_text(1000), picture
    yield "large.jpg", jpeg(65000, 65000), picture
    yield "100M.jpg", jpeg(10000, 10000), picture
    yield "100M-progressive.jpg", jpeg(10000, 10000, True), picture
    yield "100M-sampled.jpg", jpeg(10000, 10000, sampling=0x44), picture
    yield "scans.jpg", jpeg(10000, 10000, True, scans=2000), picture
    yield "narrow.jpg", jpeg(1, 65000, True, sampling=0x44), picture
    tasks = [("seen.csv", "picture,answer\n%s,1\n")]
    for name, content in [("cell-100M.png", made_png(10000, 10000)), ("cell-100M-16.png", made_png(10000, 10000, 16, 6)), ("cell.jpg", jpeg(10000, 10000, True))]:
        (place / name).write_bytes(content)
        yield "table-" + name + ".csv", ("picture,answer\n" + "".join("%s,%d\n" % (place / name, i % 2) for i in range(20))).encode(), ["train", "table", "FILE", "--steps", "4", "--out", str(place / "run-t")]

    # Archives of scenes.
    labels = lambda path: ["train", "driving", "--labels", path, "--train", "2", "--test", "1", "--epochs", "1", "--out", str(place / "run-d")]
    yield "labels.tar.xz", tar("label_2/000001.txt", zeros(1500)), labels("FILE")
    yield "labels-says.tar", tar("label_2/000001.txt", [b"x"], says=8 << 30, packed=False), labels("FILE")
    yield "labels-sparse.tar", lambda path: sparse_tar(path, 3000), labels("FILE")
    yield "labels-many.tar.xz", xz(around(b"", (tarfile.TarInfo("label_2/%07d.txt" % i).tobuf(tarfile.GNU_FORMAT) for i in range(1_000_000)), bytes(1024))), labels("FILE")
    yield "longname.tar", long_name(), labels("FILE")

    # JSON and rules.
    deep = b"[" * 10_000_000
    yield "deep.json", deep, show
    yield "deep-notes.json", rules(NAMED, rest=',"notes":' + "[" * 1_000_000), show
    yield "deep-evidence.json", deep, evidence
    yield "deep.jsonl", deep + b"\n", evidence
    yield "wide.json", rules('{"names":[%s]}' % many(10**6, '"c%d"')), show
    yield "wide-solve.json", rules('{"names":[%s]}' % many(10**6, '"c%d"')), solve
    yield "pairs.json", rules('{"names":[%s]}' % many(5000, '"c%d"'), '[{"literals":[%s],"sums":{"set":[2500]}}]' % ",".join(str(i) for i in range(1, 5001))), solve
    yield "sums.json", rules(NAMED, '[{"literals":[1,2,3],"sums":{"range":[0,4294967295]}}]'), show
    yield "sums-list.json", rules(NAMED, '[{"literals":[1,2,3],"sums":{"set":[%s]}}]' % many(3 * 10**6)), show
    yield "many-rules.json", rules(NAMED, "[%s]" % ",".join(['{"literals":[1,2,3],"sums":{"set":[1]}}'] * 10**6)), solve
    yield "wide-values.json", b'{"format":"precept rules",' + b",".join(b'"k%d":[{}]' % i for i in range(5 * 10**6)) + b"}", show
    yield "array.json", b"[" + b"0," * 50_000_000 + b"0]", evidence
    yield "objects.json", b'{"fix":{' + b",".join(b'"k%d":1' % i for i in range(5 * 10**6)) + b"}}", evidence
    yield "bits.json", b'{"cost":{"a":99999999999999999999999999}}', evidence
    relative = ',"relative":[%s]'
    yield "blocks.json", rules('{"names":["a"],"blocks":[{"name":"c","axes":[{"name":"r","size":4000000000}]}]}'), show
    yield "at.json", good.read_bytes(), ["rules", "FILE", "--at", "row 4000000000, column 4000000000"]

    # Formats of solvers.
    yield "header.cnf", b"p cnf 2147483647 2147483647\n1 2 0\n", solve
    yield "header2.cnf", b"p cnf 99999999999999999999 1\n1 2 0\n", solve
    yield "literal.cnf", b"p cnf 3 1\n2147483647 0\n", solve
    yield "wide.cnf", b"p cnf 50000000 1\n1 0\n", solve
    yield "header.wcnf", b"p wcnf 2147483647 2147483647 9\n9 1 2 0\n", solve
    yield "new.wcnf", b"h 2147483647 0\n", solve
    yield "header.opb", b"* #variable= 2147483647 #constraint= 2147483647\n+1 x1 >= 1;\n", solve
    yield "index.opb", b"+1 x4294967295 +1 x99999999999 >= 1;\n", solve
    yield "degree.opb", b"+9999999999999999999999999999 x1 >= 99999999999999999999999999;\n", solve
    yield "sum.opb", ("".join("+%d x%d " % (i * 7919 % 100003 + 1, i) for i in range(1, 100001)) + ">= 2500000000;\n").encode(), solve
    yield "equal.opb", ("".join("+%d x%d " % (i * 7919 % 100003 + 1, i) for i in range(1, 20001)) + "= 500000123;\n").encode(), solve
    yield "product.opb", ("+1 " + " ".join("x%d" % i for i in range(1, 200001)) + " >= 1;\n").encode(), solve
    yield "deep.smt2", b"(declare-const a Bool)\n(assert " + b"(not " * 3_000_000 + b"a" + b")" * 3_000_000 + b")\n", solve
    yield "deep-open.smt2", b"(" * 10_000_000, solve
    yield "let.smt2", let_bomb(), solve
    yield "deep.mzn", b"var bool: a;\nconstraint " + b"(" * 5_000_000 + b"a;\n", solve
    yield "not.mzn", b"var bool: a;\nconstraint " + b"not " * 3_000_000 + b"a;\nsolve satisfy;\n", solve
    yield "array.mzn", b"array[1..4000000000] of var bool: a;\nsolve satisfy;\n", solve
    yield "forall.mzn", b"array[1..10] of var bool: a;\nconstraint forall(i in 1..4000000000)(a[1]);\nsolve satisfy;\n", solve
    yield "int.mzn", b"var 0..4000000000: a;\nconstraint a > 5;\nsolve satisfy;\n", solve
    yield "deep.lp", b"Minimize\n obj: " + b"[" * 5_000_000 + b"\nEnd\n", solve
    yield "bounds.lp", b"Minimize\n x\nSubject To\n c: x >= 1\nBounds\n 0 <= x <= 4000000000\nGeneral\n x\nEnd\n", solve
    yield "name.csv", ('"c[' + "[" * 1_000_000 + ']"\n1\n').encode(), learn

    # Proofs.
    head = b"pseudo-Boolean proof version 2.0\nf 1\n"
    yield "deep.pbp", head + b"pol 1 " + b"1 + " * 10_000_000 + b";\n", ["verify", str(good), str(good), "FILE"]
    answer = place / "infeasible"
    for name, line in [
        ("pol.pbp", b"pol 1 1 + " + b"2 * " * 5000 + b"\n"),
        ("stack.pbp", b"pol " + b"1 " * 5_000_000 + b"\n"),
        ("rup.pbp", b"rup " + b"".join(b"1 x%d " % i for i in range(1, 1_000_000)) + b">= 1 ;\n"),
        ("variables.pbp", b"rup 1 x99999999999 >= 0 ;\n"),
        ("lines.pbp", b"rup >= 0 ;\n" * 5_000_000),
        ("copy.pbp", b"pol 1\n" * 3_000_000),
    ]:
        content = b"pseudo-Boolean proof version 2.0\nf 2\n" + line + b"output NONE\nconclusion NONE\nend pseudo-Boolean proof\n"
        yield name, content, ["verify", str(good), "infeasible", "FILE"]

    # What runs keep.
    def run_with(name, file, content):
        other = place / ("run-" + name)
        shutil.copytree(run, other)
        (other / file).write_bytes(content.make() if isinstance(content, Lazy) else content)
        return str(other)

    network = (pathlib.Path(run) / "network.safetensors").read_bytes() if (pathlib.Path(run) / "network.safetensors").exists() else b""
    small = place / "digit.png"
    small.write_bytes(made_png(252, 252))
    asked = lambda at: ["solve", at, str(small)]
    for name, content in [
        ("st-length", safetensors({}, says=2**63)),
        ("st-length2", safetensors({}, says=100_000_000)),
        ("st-offsets", safetensors({"layer.0.weight": {"dtype": "F32", "shape": [2**40], "data_offsets": [0, 2**42]}})),
        ("st-empty", safetensors({"t%d" % i: {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]} for i in range(300_000)})),
        ("st-deep", safetensors(b'{"a":' + b"[" * 1_000_000)),
        ("st-shape", safetensors(b'{"a":{"dtype":"F32","shape":[' + b"0," * 10_000_000 + b'0],"data_offsets":[0,0]}}')),
        ("st-large", network + bytes(700 << 20)),
    ]:
        yield name + ".st", b"", asked(run_with(name, "network.safetensors", content))
    for file in ["rules.json", "calibration.json", "config.toml", "model.json"]:
        if (pathlib.Path(run) / file).exists():
            yield "deep-run-" + file, b"", asked(run_with("deep-" + file, file, b"[" * 5_000_000))
            yield "huge-run-" + file, b"", asked(run_with("huge-" + file, file, gz(zeros(3000))))
            other = run_with("sparse-" + file, file, b"")
            sparse(pathlib.Path(other) / file, 3000)
            yield "sparse-run-" + file, b"", asked(other)
    other = run_with("sparse-net", "network.safetensors", b"")
    sparse(pathlib.Path(other) / "network.safetensors", 3000)
    yield "sparse-run-network", b"", asked(other)
    for name, content in [
        ("checkpoint", b"precept checkpoint 2\n" + b'{"run":"","schedule":"","step":1,"network":18446744073709551615,"state":1,"sha256":""}\nx'),
        ("checkpoint-deep", b"precept checkpoint 2\n" + b"[" * 5_000_000),
    ]:
        other = run_with(name, "checkpoint", content)
        yield name + ".file", b"", ["train", "sudoku", "--resume", other]
    other = run_with("checkpoint-sparse", "checkpoint", b"")
    sparse(pathlib.Path(other) / "checkpoint", 3000)
    yield "checkpoint-sparse.file", b"", ["train", "sudoku", "--resume", other]
    # Flags that name files.
    yield "names.txt", lambda path: sparse(path, 3000), ["learn", str(place / "tiny.csv"), "--names", "FILE"]
    (place / "tiny.csv").write_text("0,1\n1,0\n")
    yield "given.json.gz", gz(zeros(3000, b" ")), ["learn", str(place / "tiny.csv"), "--no-header", "--given", "FILE"]
    yield "compare.json.gz", gz(zeros(3000, b" ")), ["rules", str(good), "--compare", "FILE"]
    yield "certify.json", rules('{"names":[%s]}' % many(2000, '"c%d"'), '[{"literals":[%s],"sums":{"set":[1000]}}]' % ",".join(str(i) for i in range(1, 2001))), certify


def letters(number):
    out = ""
    while number:
        number, rest = divmod(number - 1, 26)
        out = chr(65 + rest) + out
    return out


@lazy
def let_bomb():
    """Lets that double: 2^60 parts when written out."""
    text = "(declare-const a0 Bool)\n(assert "
    for i in range(60):
        text += "(let ((a%d (or a%d (not a%d)))) " % (i + 1, i, i)
    return (text + "a60" + ")" * 61 + "\n(check-sat)\n").encode()


def sparse_tar(path, megabytes):
    info = tarfile.TarInfo("label_2/000001.txt")
    info.size = megabytes << 20
    with open(path, "wb") as file:
        file.write(info.tobuf(tarfile.GNU_FORMAT))
        file.truncate(512 + info.size + 1024)


@lazy
def long_name():
    """A GNU long name of many megabytes."""
    info = tarfile.TarInfo("././@LongLink")
    info.type = tarfile.GNUTYPE_LONGNAME
    name = b"a" * (300 << 20)
    info.size = len(name)
    return info.tobuf(tarfile.GNU_FORMAT) + name + tarfile.TarInfo("x.txt").tobuf() + bytes(1024)


SMALL = """
import os, resource, sys, threading
child = os.fork()
if child == 0:
    resource.setrlimit(resource.RLIMIT_AS, (12 << 30, 12 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (40, 40))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.execv(sys.argv[1], sys.argv[1:])
stop = threading.Timer(60, os.kill, (child, 9))
stop.start()
_, status, usage = os.wait4(child, 0)
stop.cancel()
sys.stderr.write("\\nCOST %d %f %d" % (os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss))
"""


def watched(command, feed):
    """Runs it; exit code, processor seconds, peak bytes, what it said."""
    # What a process takes counts from its fork on: the one that forks is to be small.
    process = subprocess.Popen(
        [sys.executable, "-c", SMALL, *command], stdin=subprocess.PIPE if feed is not None else subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=tempfile.gettempdir())

    def pour():
        try:
            for piece in feed:
                process.stdin.write(piece)
            process.stdin.close()
        except OSError:
            pass

    if feed is not None:
        threading.Thread(target=pour, daemon=True).start()
    said = []
    reading = threading.Thread(target=lambda: said.append(process.stderr.read()), daemon=True)
    reading.start()
    begun = time.time()
    process.wait()
    reading.join(5)
    text, _, last = (said or [b""])[0].decode(errors="replace").rpartition("\nCOST ")
    code, seconds, peak = last.split()
    return int(code), float(seconds), int(peak) * 1024, text, time.time() - begun


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--program", default=str(ROOT / "target/release/precept"))
    arguments.add_argument("--only", default="", help="only files whose names hold one of these words")
    arguments.add_argument("--after", help="only this file and those after it")
    arguments.add_argument("--run", help="a run of Sudoku; a small one is trained without it")
    given = arguments.parse_args()
    failed = count = 0
    is_late = not given.after
    with tempfile.TemporaryDirectory(prefix="bombs") as place:
        place = pathlib.Path(place)
        run = given.run
        if not run:
            run = str(place / "run")
            subprocess.run([given.program, "train", "sudoku", "--train", "300", "--test", "20", "--steps", "250", "--out", run], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for name, content, command in bombs(place, run):
            is_late = is_late or name == given.after
            if not is_late or not any(word in name for word in given.only.split(",")):
                continue
            path = place / name
            feed = None
            if isinstance(content, Lazy):
                content = content.make()
            if "-" in command[1:2]:
                feed = [content] if isinstance(content, bytes) else content
            elif callable(content):
                content(path)
            else:
                path.write_bytes(content)
            command = [given.program] + [str(path) if word == "FILE" else word for word in command]
            code, seconds, peak, text, wall = watched(command, feed)
            # Stages of work are told on the same stream.
            lines = [line for line in text.splitlines() if line.startswith(("precept: ", "error: ")) or "panicked" in line]
            is_told = code in (0, 1) or (code == 2 and len(lines) == 1 and len(lines[0]) < 1000)
            is_good = is_told and peak <= MEMORY and seconds <= SECONDS
            count += 1
            failed += not is_good
            shown = lines[-1][:150] if lines else ""
            print(f"{'ok  ' if is_good else 'BAD '} {name:28} exit {code:4} {seconds:6.2f} s {wall:6.2f} wall {peak / 1e6:7.0f} MB {len(lines)} lines  {shown}".replace(str(place), ""), flush=True)
            if path.exists():
                path.unlink()
    print(f"{count} files, {failed} bad")
    sys.exit(failed > 0)


main()
