/** `issue_iid` → `issueIid`, at the type level. */
export type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name

/** `issue_iid` → `issueIid`. */
export function camelCase<const Name extends string>(name: Name): CamelCase<Name> {
  return name.replace(/_(\w)/g, (_, char: string) => char.toUpperCase()) as CamelCase<Name>
}

/** The resource name for types of subjects, from the outside in, as in endpoint names. */
type ResourceName<Subjects extends readonly string[]> = Subjects extends readonly [
  infer Subject extends string,
]
  ? `${CamelCase<Subject>}s`
  : Subjects extends readonly [infer Outer extends string, ...infer Inner extends string[]]
    ? `${CamelCase<Outer>}s.${ResourceName<Inner>}`
    : string

/**
 * The resource name for types of subjects, from the outside in: `merge_request`, `note` →
 * `mergeRequests.notes`.
 */
export function resourceName<const Subjects extends readonly string[]>(
  ...subjects: Subjects
): ResourceName<Subjects> {
  const resources = subjects.map((subject) => `${camelCase(subject)}s`)
  return resources.join('.') as ResourceName<Subjects>
}

/**
 * The name of a path parameter in SDK and CLI: in camel case; `:id` is named after the preceding
 * resource, `/projects/:id` → `projectId`.
 */
export type InputName<Path extends string, Name extends string> = Name extends 'id'
  ? Path extends `/${infer Resource}s/:id${string}`
    ? `${CamelCase<Resource>}Id`
    : never
  : CamelCase<Name>

/** A path parameter by its names in the contract and in the SDK's input. */
export interface PathParameter {
  wire: string
  input: string
}

/** The parameters of a path in order: `/projects/:id/issues/:issue_iid`. */
export function pathParameters(path: string): PathParameter[] {
  return Array.from(path.matchAll(/:(\w+)/g), ([, wire = '']) => ({
    wire,
    input: inputName(path, wire),
  }))
}

/** The name of a path parameter in SDK and CLI: `InputName` at run time. */
export function inputName(path: string, wire: string): string {
  if (wire !== 'id') return camelCase(wire)
  const [, resource = ''] = /^\/(\w+)s\/:id\b/.exec(path) ?? []
  return `${camelCase(resource)}Id`
}

/** Standard actions, in the order in which lists of actions show them. */
const standardActions = ['list', 'show', 'create', 'update', 'delete']

/** Sort order of actions: standard ones first, then alphabetical. */
export function compareActions(one: string, other: string): number {
  const rank = (action: string) => {
    const index = standardActions.indexOf(action)
    return index === -1 ? standardActions.length : index
  }
  return rank(one) - rank(other) || (one < other ? -1 : one > other ? 1 : 0)
}

/** The noun of a path parameter: `issueIid` → `issue`, `sha` → `sha`. */
export function parameterNoun(input: string): string {
  return input.replace(/Ii?d$/, '')
}

/** The title of a resource: `issues.discussions.list` → `Issues / Discussions`. */
export function resourceTitle(name: string): string {
  const words = name.split('.').slice(0, -1).map(inWords)
  return words.join(' / ')
}

function inWords(segment: string): string {
  const words = segment.replace(/[A-Z]/g, (char) => ` ${char.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
