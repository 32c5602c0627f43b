"""File names that always hold binary data: such files are not even opened.

Only names that no text format shares; everything else is decided by content. Collected from GitHub
Linguist's and Git's own lists of binary extensions.
"""

from __future__ import annotations

BINARY_EXTENSIONS = frozenset(
    """
    png jpg jpeg jpe gif bmp ico icns webp avif heic heif tif tiff psd psb xcf kra cur dds ktx exr hdr raw cr2 nef
    mp3 mp4 m4a m4v aac flac ogg oga ogv opus wav wma wmv avi mov mkv webm mpg mpeg flv mid midi aiff zip gz tgz bz2
    tbz2 xz txz 7z rar lz lz4 lzma zst tzst br cab iso dmg img deb rpm apk ipa aab msi jar war ear aar nupkg whl egg
    gem crate xpi crx vsix exe dll so dylib a o obj lib pdb ilk exp elf ko sys bin com class pyc pyo pyd beam wasm
    node dex hi rlib rmeta ttf otf woff woff2 eot pfb pdf doc docx xls xlsx ppt pptx odt ods odp epub mobi djvu db
    db3 sqlite sqlite3 mdb accdb dbf frm ibd rdb dump pack idx npy npz pkl pickle joblib h5 hdf5 parquet feather
    arrow orc avro tfrecord onnx pt pth ckpt safetensors gguf ggml tflite mlmodel keras rds rdata mat sav dta blend
    fbx glb 3ds max unitypackage uasset umap pak swf fla mo gmo der pyz xlsb rgb
    """.split()  # noqa: SIM905 - a table of words
)

_DOUBLE_NAMES = (".tar.gz", ".ds_store", "thumbs.db")


def is_binary_name(path: str) -> bool:
    """True when the name alone says binary."""
    name = path.rpartition("/")[2].lower()
    stem, _, extension = name.rpartition(".")
    return (extension in BINARY_EXTENSIONS and bool(stem)) or name.endswith(_DOUBLE_NAMES)
