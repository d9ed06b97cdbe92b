import * as linguist from 'linguist-languages'

/**
 * Extensions that several languages have, with the one that most files with them are written in.
 * The original Linguist reads such files; here an ambiguous extension that is not listed counts for
 * no language.
 */
const preferred: Partial<Record<linguist.LanguageName, string>> = {
  ActionScript: '.as',
  AL: '.al',
  BitBake: '.bb',
  C: '.h',
  'C#': '.cs',
  'C++': '.hh',
  'Common Lisp': '.cl .lisp .lsp',
  CUE: '.cue',
  D: '.d',
  Elixir: '.ex',
  'F#': '.fs',
  Fortran: '.f .for .fpp',
  FreeMarker: '.ftl',
  GDScript: '.gd',
  GLSL: '.frag',
  Gnuplot: '.plt',
  HLSL: '.fx',
  jq: '.jq',
  Lex: '.l',
  LiveScript: '.ls',
  Modelica: '.mo',
  Mojo: '.mojo',
  Noir: '.nr',
  Nushell: '.nu',
  'Objective-C': '.m',
  'Objective-C++': '.mm',
  OCaml: '.ml',
  Odin: '.odin',
  Pascal: '.pp',
  Perl: '.pl .pm .t',
  PHP: '.php',
  R: '.r',
  Reason: '.re',
  ReScript: '.res',
  Rust: '.rs',
  Scala: '.sc',
  Scheme: '.scm',
  ShaderLab: '.shader',
  Smalltalk: '.st',
  Solidity: '.sol',
  Starlark: '.star',
  SuperCollider: '.scd',
  Sway: '.sw',
  Teal: '.tl',
  TeX: '.cls',
  TypeScript: '.ts .tsx',
  Typst: '.typ',
  VBA: '.vba',
  Verilog: '.v',
  Yacc: '.yy',
}

const languages: readonly linguist.Language[] = Object.values(linguist)

/** Maps a file name or an extension to its language; null if it counts for none. */
type Index = Map<string, string | null>

/** A language counts for its group or itself; data and prose do not count. */
function countedName({ name, type, group }: linguist.Language): string | null {
  return type === 'programming' || type === 'markup' ? (group ?? name) : null
}

function indexOf(keysOf: (language: linguist.Language) => readonly string[]): Index {
  const index: Index = new Map()
  for (const language of languages) {
    const name = countedName(language)
    for (const key of keysOf(language).map((one) => one.toLowerCase())) {
      const isAlone = !index.has(key) || index.get(key) === name
      index.set(key, isAlone ? name : null)
    }
  }
  return index
}

const byFileName = indexOf(({ filenames = [] }) => filenames)
const byExtension = indexOf(({ extensions = [] }) => extensions)
for (const [name, extensions] of Object.entries(preferred)) {
  for (const extension of extensions.split(' ')) byExtension.set(extension, name)
}

/** Directories of third-party code, and generated files. */
const vendored =
  /(?:^|\/)(?:node_modules|vendor|third[-_]?party|bower_components)\/|\.min\.(?:js|css)$/i

/** The programming language of a file by its path; undefined if it has none that counts. */
export function languageOf(path: string): string | undefined {
  if (vendored.test(path)) return undefined
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const known = byFileName.get(name)
  const last = name.lastIndexOf('.')
  if (known !== undefined || last <= 0) return known ?? undefined
  // No extension has more than two parts: `.blade.php`.
  const double = name.lastIndexOf('.', last - 1)
  const found = double > 0 ? byExtension.get(name.slice(double)) : undefined
  return (found === undefined ? byExtension.get(name.slice(last)) : found) ?? undefined
}

/** Adds the bytes of a file to those of its language. */
export function countLanguage(
  sizes: Map<string, number>,
  { path, size }: { path: string; size: number },
): void {
  const language = size > 0 ? languageOf(path) : undefined
  if (language !== undefined) sizes.set(language, (sizes.get(language) ?? 0) + size)
}
