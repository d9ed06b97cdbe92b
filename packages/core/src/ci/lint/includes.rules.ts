import {
  type Check,
  firstError,
  isMap,
  isString,
  isStringList,
  quoted,
} from './config-values.rules.ts'

/** The keys that say where an included file is; each include has one. */
const accessors = ['local', 'file', 'remote', 'template', 'component', 'artifact'] as const

const otherKeys = new Set(['project', 'ref', 'job', 'inputs', 'rules', 'integrity', 'cache'])

/** Checks `include`: whether the files are there is not known without a project. */
export const includes: Check = (value) => {
  const entries = Array.isArray(value) ? value : [value]
  return firstError(entries.map(includeError))
}

function includeError(entry: unknown): string | undefined {
  if (isString(entry)) {
    return isAddress(entry) ? remoteError(entry) : fileError('Local', entry)
  }
  if (!isMap(entry)) return 'include config should be a hash, a string or an array of them'
  const given = accessors.filter((key) => entry[key] !== undefined)
  const shown = quoted(JSON.stringify(entry, shortTexts))
  const unknown = Object.keys(entry).some(
    (key) => !otherKeys.has(key) && !accessors.some((accessor) => accessor === key),
  )
  const [accessor] = given
  if (accessor === undefined || given.length > 1 || unknown) {
    return `Include \`${shown}\` needs to match exactly one accessor!`
  }
  return accessorError(accessor, entry[accessor], entry)
}

/** Aliases may stand for the same long text in many places. */
function shortTexts(_: string, value: unknown): unknown {
  return isString(value) ? quoted(value) : value
}

function accessorError(
  accessor: (typeof accessors)[number],
  value: unknown,
  entry: Readonly<Record<string, unknown>>,
): string | undefined {
  if (accessor === 'file') {
    if (!isString(entry.project)) return 'include config must specify the project of the file'
    const files = isStringList(value) ? value : [value]
    return firstError(files.map((file) => fileError('Project', file)))
  }
  if (!isString(value)) return `include:${accessor} config should be a string`
  if (accessor === 'local') return fileError('Local', value)
  if (accessor === 'remote') return remoteError(value)
  if (accessor === 'template') return fileError('Template', value)
  return value.trim() === '' ? `include:${accessor} config can't be blank` : undefined
}

function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text)
}

function remoteError(value: string): string | undefined {
  if (!isAddress(value) || !URL.canParse(value)) {
    return `Remote file \`${quoted(value)}\` does not have a valid address!`
  }
  return undefined
}

function fileError(kind: 'Local' | 'Project' | 'Template', value: unknown): string | undefined {
  if (!isString(value)) return 'include config should be a string'
  if (value.trim() === '') return `${kind} file \`\` is empty!`
  if (/\.ya?ml$/i.test(value) || value.includes('$')) return undefined
  return `Included file \`${quoted(value)}\` does not have YAML extension!`
}
