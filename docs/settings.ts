import { writeFileSync } from 'node:fs'
import { fieldMeta, settingAliases, settingNames, settingOf } from '../packages/core/src/index.ts'
import { markdownTable } from './markdown-table.ts'

const file = new URL('settings.md', import.meta.url)

type Wire = NonNullable<ReturnType<typeof fieldMeta>>['wire']

/** Renders docs/settings.md. */
export function settingsPage(): string {
  const rows = settingNames.toSorted().map((name) => {
    const setting = settingOf(name)
    const wire = fieldMeta(setting.field)?.wire ?? {}
    return [
      `\`${name}\``,
      typeOf(wire),
      initialOf(setting.initial),
      rulesOf(name, wire),
      `${sentence(setting.about)}${setting.acts ? '' : ' Kept for clients.'}`,
    ]
  })
  const aliases = Object.entries(settingAliases).map(
    ([alias, name]) => `- \`${alias}\`: \`${name}\``,
  )
  return `# Instance settings

Administrators read and change them with \`GET\` and \`PUT /application/settings\`. A change takes effect at once in the
server that it was sent to, and within a second in others that share its database. Settings that are kept for clients
are stored and returned, and change nothing. Those that v4 servers apply after a restart are marked; the ones that this
server follows need none here.

Secrets are encrypted in the database (see [Configuration](configuration.md#secrets)). A response has \`********\` in
place of one that is set; sending that back leaves it as it is.

A setting that needs others cannot be switched on while they are blank (400). Parameters of paid tiers are refused in
lower ones (403).

${markdownTable(['setting', 'type', 'initially', 'limits', 'meaning'], rows)}
Older names, of which a request may have one:

${aliases.join('\n')}
- \`performance_bar_allowed_group_path\`: the path of \`performance_bar_allowed_group_id\`; \`performance_bar_enabled\`
  set to false clears it
`
}

function typeOf({ type, items, enum: words }: Wire): string {
  const [name = ''] = [type].flat()
  if (name === 'array') return `list of ${typeOf((items ?? {}) as Wire)}`
  if (words !== undefined) return words.map((word) => `\`${word}\``).join(', ')
  return { string: 'text', integer: 'whole number' }[name] ?? name
}

function initialOf(value: unknown): string {
  if (value === null) return 'none'
  if (Array.isArray(value) && value.length === 0) return 'empty'
  return `\`${Array.isArray(value) ? value.join(', ') : value}\``
}

function rulesOf(name: Parameters<typeof settingOf>[0], wire: Wire): string {
  const { needs = [], secret, restart, tier } = settingOf(name)
  const { minimum, maximum, maxLength } = wire
  const bounds = [
    minimum !== undefined && `from ${minimum}`,
    maximum !== undefined && maximum !== 2 ** 31 - 1 && `to ${maximum}`,
    maxLength !== undefined && `${maxLength} characters`,
  ]
  const needed = needs.map((other) => `\`${other}\``).join(', ')
  return [
    bounds.filter(Boolean).join(' '),
    needed && `needs ${needed}`,
    secret && 'secret',
    restart && 'restart in v4',
    tier,
  ]
    .filter(Boolean)
    .join('; ')
}

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`
}

if (import.meta.main) writeFileSync(file, settingsPage())
