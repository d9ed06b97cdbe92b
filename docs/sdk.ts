import { writeFileSync } from 'node:fs'
import { fieldsOf } from '../packages/cli/src/api/field.ts'
import { flagOf, kebabCase } from '../packages/cli/src/api/field-flag.ts'
import {
  type Contract,
  compareActions,
  contracts,
  type EndpointSpec,
  endpointsByName,
  pathParameters,
  resourceTitle,
  type Variants,
} from '../packages/core/src/index.ts'
import { markdownTable } from './markdown-table.ts'

const file = new URL('sdk.md', import.meta.url)

const introduction = `# Names in the SDK and the command line

Generated from the contracts in \`packages/core\` by \`pnpm docs:sdk\`. Don't edit it by hand.

A name is a resource, nested by what it belongs to, and an action. The SDK (\`@stithy/client\`), the command line
(\`stithy\`) and the \`operationId\`s of OpenAPI use the same one:

\`\`\`ts
await client.issues.notes.create({ projectId: 'group/app', issueIid: 3, body: 'Done' })
\`\`\`

\`\`\`sh
stithy issues notes create --project group/app --issue 3 --body Done
\`\`\`

- Where the same can be done for everything, for a project and for a group, there is one name, and the parent is an
  argument: \`issues.list()\`, \`issues.list({ groupId })\`, \`issues.list({ projectId })\`.
- What is in the path has a name in camel case, \`projectId\`, \`issueIid\`, and a flag without the \`Id\`: \`--project\`,
  \`--issue\`. \`projectId\` and \`groupId\` take an ID or a full path.
- All other parameters are called as on the wire, \`order_by\`, and their flags \`--order-by\`. The reference of the API
  at \`/-/api\` of a server has them all, as \`--help\` of a command does.
`

/** Renders the page as it must be in the repository. */
export function sdkPage(): string {
  const byName = [...endpointsByName(contracts)]
  const resources = Map.groupBy(byName, ([name]) => resourceTitle(name))
  const sections = [...resources]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([title, names]) => `## ${title}\n\n${tableOf(names)}`)
  return [introduction, ...sections, legacySection()].join('\n')
}

function tableOf(names: readonly [string, Variants][]): string {
  const rows = names
    .toSorted(([one], [other]) => compareActions(actionOf(one), actionOf(other)))
    .flatMap(([, variants]) => variants.map(rowOf))
  return markdownTable(['SDK', 'command line', 'endpoint', 'summary'], rows)
}

function actionOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

function rowOf(endpoint: EndpointSpec): string[] {
  const inputs = pathParameters(endpoint.path).map(({ input }) => input)
  const input = inputs.length === 0 ? '' : `{ ${inputs.join(', ')} }`
  const words = endpoint.name.split('.').map(kebabCase)
  const flags = fieldsOf(endpoint)
    .filter(({ inPath }) => inPath)
    .map(flagOf)
  return [
    `\`${endpoint.name}(${input})\``,
    `\`${['stithy', ...words, ...flags].join(' ')}\``,
    `\`${endpoint.method} ${endpoint.path}\``,
    endpoint.docs.summary,
  ]
}

function legacySection(): string {
  const endpoints = Object.values<Contract>(contracts).flatMap((one) => Object.values(one))
  const rows = endpoints
    .filter(({ legacy }) => legacy)
    .map(({ method, path, name, docs }) => [`\`${method} ${path}\``, `\`${name}\``, docs.summary])
  const text = `## Endpoints without a name

They are second ways to do something, which the API keeps for existing clients. They are deprecated, and neither in the
SDK nor in the command line.

`
  return text + markdownTable(['endpoint', 'use instead', 'summary'], rows)
}

if (import.meta.main) writeFileSync(file, sdkPage())
