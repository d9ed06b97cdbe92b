/** Languages by file extension, in lower case; markup and data count for none. */
const languages: Record<string, string> = {
  Ada: 'adb ads',
  Assembly: 'asm s',
  Astro: 'astro',
  Batchfile: 'bat cmd',
  C: 'c h',
  'C#': 'cs csx',
  'C++': 'cc cpp cxx hh hpp hxx ino ipp',
  CMake: 'cmake',
  CSS: 'css',
  Clojure: 'clj cljc cljs edn',
  COBOL: 'cbl cob cobol',
  CoffeeScript: 'coffee',
  'Common Lisp': 'lisp lsp cl',
  Crystal: 'cr',
  Cuda: 'cu cuh',
  D: 'd di',
  Dart: 'dart',
  Elixir: 'ex exs',
  Elm: 'elm',
  'Emacs Lisp': 'el',
  Erlang: 'erl hrl',
  'F#': 'fs fsi fsx',
  Fortran: 'f f03 f08 f77 f90 f95 for',
  GLSL: 'frag glsl vert',
  Go: 'go',
  Groovy: 'gradle groovy gvy',
  HCL: 'hcl tf tfvars',
  HTML: 'htm html xhtml',
  Haml: 'haml',
  Haskell: 'hs lhs',
  Haxe: 'hx',
  Java: 'java',
  JavaScript: 'cjs es6 js jsx mjs',
  Julia: 'jl',
  'Jupyter Notebook': 'ipynb',
  Kotlin: 'kt kts',
  Less: 'less',
  Lua: 'lua',
  MATLAB: 'matlab',
  Makefile: 'mak mk',
  Nim: 'nim nims',
  Nix: 'nix',
  OCaml: 'ml mli mll mly',
  'Objective-C': 'm',
  'Objective-C++': 'mm',
  PHP: 'php phtml',
  PLSQL: 'pkb pks pls plsql',
  Pascal: 'dpr lpr pas pp',
  Perl: 'pl pm t',
  PowerShell: 'ps1 psd1 psm1',
  Prolog: 'prolog',
  Pug: 'jade pug',
  PureScript: 'purs',
  Python: 'py pyi pyw pyx',
  R: 'r',
  Racket: 'rkt',
  Raku: 'p6 pm6 raku rakumod',
  ReScript: 'res resi',
  Ruby: 'gemspec rake rb ru',
  Rust: 'rs',
  SCSS: 'scss',
  Sass: 'sass',
  Scala: 'sbt sc scala',
  Scheme: 'scm ss',
  Shell: 'bash fish ksh sh zsh',
  Solidity: 'sol',
  Stylus: 'styl',
  Svelte: 'svelte',
  Swift: 'swift',
  SystemVerilog: 'sv svh',
  Tcl: 'tcl',
  TeX: 'cls sty tex',
  TypeScript: 'cts mts ts tsx',
  VHDL: 'vhd vhdl',
  Verilog: 'v',
  'Vim Script': 'vim',
  'Visual Basic .NET': 'vb',
  Vue: 'vue',
  WebAssembly: 'wat wast',
  XSLT: 'xsl xslt',
  Zig: 'zig',
}

const byFileName = new Map([
  ['cmakelists.txt', 'CMake'],
  ['containerfile', 'Dockerfile'],
  ['dockerfile', 'Dockerfile'],
  ['gemfile', 'Ruby'],
  ['gnumakefile', 'Makefile'],
  ['jenkinsfile', 'Groovy'],
  ['makefile', 'Makefile'],
  ['rakefile', 'Ruby'],
  ['vagrantfile', 'Ruby'],
])

const byExtension = new Map(
  Object.entries(languages).flatMap(([language, extensions]) =>
    extensions.split(' ').map((extension): [string, string] => [extension, language]),
  ),
)

/** Directories of other people's code, and files that machines write. */
const foreign =
  /(?:^|\/)(?:node_modules|vendor|third[-_]?party|bower_components)\/|\.min\.(?:js|css)$/i

/** The programming language of a file by its path; undefined where it has none that counts. */
export function languageOf(path: string): string | undefined {
  if (foreign.test(path)) return undefined
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const known = byFileName.get(name)
  if (known !== undefined) return known
  const dot = name.lastIndexOf('.')
  return dot <= 0 ? undefined : byExtension.get(name.slice(dot + 1))
}

/** Bytes by language, of the files of a tree. */
export function languageSizes(
  files: Iterable<{ path: string; size: number }>,
): Map<string, number> {
  const sizes = new Map<string, number>()
  for (const { path, size } of files) {
    const language = size > 0 ? languageOf(path) : undefined
    if (language !== undefined) sizes.set(language, (sizes.get(language) ?? 0) + size)
  }
  return sizes
}

/** The share of each language in all bytes: per cent with two decimals, the largest first. */
export function languageShares(sizes: ReadonlyMap<string, number>): Record<string, number> {
  const total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
  const ranked = [...sizes].toSorted(([one, few], [other, many]) =>
    few === many ? (one < other ? -1 : 1) : many - few,
  )
  return Object.fromEntries(
    ranked.map(([language, bytes]) => [language, Math.round((10_000 * bytes) / total) / 100]),
  )
}
