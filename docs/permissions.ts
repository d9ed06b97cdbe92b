import { writeFileSync } from 'node:fs'
import {
  type CallerKind,
  type Contract,
  callerKinds,
  contracts,
  type EndpointSpec,
  refusalOf,
  resourceTitle,
  subjectPolicies,
  visibilities,
} from '../packages/core/src/index.ts'
import { markdownTable } from './markdown-table.ts'

const file = new URL('permissions.md', import.meta.url)

const headings: Record<CallerKind, string> = {
  anonymous: 'anonymous',
  external: 'external',
  non_member: 'non-member',
  guest: 'guest',
  author: 'author',
  assignee: 'assignee',
  reporter: 'reporter',
  developer: 'developer',
  maintainer: 'maintainer',
  owner: 'owner',
  administrator: 'admin',
}

const introduction = `# Permissions

Generated from the contracts and policies in \`packages/core\` by \`pnpm docs:permissions\`. Don't
edit it by hand.

## Endpoints

Each column is a kind of caller, on a project with every feature in a group of the same visibility:

- **external** and **non-member** are signed in and members of nothing; external users see internal
  projects as anonymous callers do.
- **guest** to **owner** are members of the group.
- **author** and **assignee** are guests. The author wrote every issue, merge request, snippet, epic
  and comment, gave every award emoji, and owns the todo. The assignee is assigned to the issue and
  the merge request.

\`✓\` means that the call is allowed whatever the visibility is, \`int\` that it is on internal and
public projects, \`pub\` that it is on public ones, \`–\` that it never is; other sets of
visibilities are spelled out. What an endpoint does may depend on more: on who may set a single
parameter, on other things that the call names, and on the state of what it changes. Archived
projects refuse every change of their contents (\`changes\` in the rules below).

A call that is refused answers 404 where the caller may not see the subject, 401 where they sent no
token, and otherwise 403, unless the rule names another refusal.
`

/** Renders the page as it must be in the repository. */
export function permissionsPage(): string {
  const endpoints = Object.values<Contract>(contracts).flatMap((one) => Object.values(one))
  const resources = Map.groupBy(endpoints, ({ name }) => resourceTitle(name))
  const sections = [...resources]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([title, rows]) => `### ${title}\n\n${endpointTable(rows)}`)
  return [introduction, ...sections, rulesIntroduction, ...ruleTables()].join('\n')
}

function endpointTable(endpoints: readonly EndpointSpec[]): string {
  const rows = endpoints.map((endpoint) => [
    `\`${endpoint.method} ${endpoint.path}\``,
    abilityOf(endpoint),
    ...callerKinds.map((kind) => cellOf(endpoint, kind)),
  ])
  return markdownTable(['endpoint', 'ability', ...callerKinds.map((kind) => headings[kind])], rows)
}

function abilityOf({ auth }: EndpointSpec): string {
  if (typeof auth === 'string') return ''
  if (auth.on === undefined) return auth.anonymous === true ? '' : 'signed in'
  return [...(auth.within ?? []), auth.on].join(' › ').concat(`: \`${auth.ability}\``)
}

function cellOf(endpoint: EndpointSpec, kind: CallerKind): string {
  const allowed = visibilities.filter((name) => refusalOf(endpoint, kind, name) === undefined)
  return cells[allowed.join(' ')] ?? allowed.join(', ')
}

/** By the visibilities that the call is allowed on. */
const cells: Record<string, string> = {
  '': '–',
  public: 'pub',
  'internal public': 'int',
  'private internal public': '✓',
}

const rulesIntroduction = `## Rules

The rule of each ability, as \`packages/core\` holds it. Levels are 10 guest, 20 reporter, 30
developer, 40 maintainer and 50 owner; administrators count as owners everywhere, but not as owners
of someone else's todo.
`

function ruleTables(): string[] {
  return Object.entries(subjectPolicies).map(([subject, { rules }]) => {
    const rows = Object.entries<unknown>(rules).map(([ability, rule]) => [
      `\`${ability}\``,
      words(rule as object),
    ])
    return `### ${subject}\n\n${markdownTable(['ability', 'rule'], rows)}`
  })
}

/** `from: 40, changes`, of `{ from: 40, changes: true }`. */
function words(rule: object): string {
  return Object.entries(rule)
    .map(([name, value]) => (value === true ? name : `${name}: ${textOf(value)}`))
    .join('; ')
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'object' ? Object.values(Object(value)).join(', ') : String(value)
}

if (import.meta.main) writeFileSync(file, permissionsPage())
