import { gadgetRegistry } from '@stithy/client/testing'
import { contracts, endpointsByName, type Variants } from '@stithy/core'
import { describe, expect, it } from 'vitest'
import { cliIn } from '../../test/run-cli.ts'
import { fieldsOf } from './field.ts'
import { flagOf, kebabCase } from './field-flag.ts'
import { flagsOf } from './flags.ts'

const cli = cliIn('/nowhere')
const registry = { ...gadgetRegistry, ...contracts }

const commands = Array.from(endpointsByName(registry), ([name, variants]): [string, Variants] => [
  name.split('.').map(kebabCase).join(' '),
  variants,
])

function escaped(text: string): string {
  return text.replace(/[-[\]]/g, '\\$&')
}

describe('stithy <resource> <action> --help', () => {
  it.each(commands)(
    'of %s lists every parameter with its description',
    async (command, variants) => {
      const { code, stdout } = await cli([...command.split(' '), '--help'], {
        registry,
        columns: 400,
      })
      expect(code).toBe(0)
      expect(stdout).toContain(`Usage: stithy ${command} [options]`)
      for (const endpoint of variants) {
        expect(stdout).toContain(`${endpoint.method} /api/v4${endpoint.path}`)
        for (const field of fieldsOf(endpoint)) {
          const meaning = `${escaped(flagOf(field))} [<[][\\w=-]+[>\\]] +\\S`
          expect(stdout).toMatch(new RegExp(`^ +${meaning}`, 'm'))
        }
      }
    },
  )

  it.each(commands)('of %s has options without conflicts or negations', (_, variants) => {
    const { fields, common } = flagsOf(variants)
    const options = [...fields.map(({ option }) => option), ...Object.values(common)]
    const names = options.map((option) => option.attributeName())
    expect(new Set(names).size).toBe(names.length)
    expect(options.filter((option) => option.negate || option.long === '--help')).toEqual([])
  })

  it.each(commands)('of %s has options with the same syntax for every parent', (_, variants) => {
    for (const { fields } of flagsOf(variants).fields) {
      const shapes = Array.from(fields.values(), ({ kind, item, takesCommas }) =>
        [kind, item, takesCommas].join(),
      )
      expect(new Set(shapes).size).toBe(1)
    }
  })

  it('shows types, allowed values, bounds, defaults and required parameters', async () => {
    const list = await cli(['gadgets', 'list', '--help'], { columns: 120 })
    expect(list.stdout).toMatch(/--iids <integer> +whole number; may be repeated \(/)
    expect(list.stdout).toMatch(/--states <word> +any of: new, used \(/)
    expect(list.stdout).toMatch(/--since <text> +timestamp in ISO 8601 \(/)
    const create = await cli(['gadgets', 'create', '--help'], { columns: 120 })
    expect(create.stdout).toMatch(/--project <integer> +whole number, 1 or more \(required\)\n/)
    expect(create.stdout).toMatch(/--name <text> +text \(required\)\n/)
    expect(create.stdout).toMatch(/--weight <integer> +whole number, 0 to 9\n/)
    const remove = await cli(['gadgets', 'delete', '--help'], { columns: 120 })
    expect(remove.stdout).toMatch(/--hard \[boolean\] +true or false \(default: false\) \(/)
    expect(remove.stdout).toMatch(/--gadget <text> +text \(required\)\n/)
  })

  it('shows which parameters belong to which parent', async () => {
    const { stdout } = await cli(['gadgets', 'list', '--help'], { columns: 200 })
    expect(stdout).toContain('GET /api/v4/gadgets\n')
    expect(stdout).toContain('GET /api/v4/groups/:id/gadgets  with --group\n')
    expect(stdout).toMatch(/--group <text> +ID or full path of the group\n/)
    expect(stdout).toMatch(/--search <text> +text\n/)
    expect(stdout).toMatch(/--deep \[boolean\] +true or false \(with --group\)\n/)
    expect(stdout).toMatch(/--archived \[boolean\] +true or false \(without --group\)\n/)
    expect(stdout).toMatch(
      /--order-by <word> +one of: id, name \(without --group\); one of: id, name, depth \(with --group\)\n/,
    )
  })

  it('shows which description belongs to which parent', async () => {
    const { stdout } = await cli(['issues', 'list', '--help'], { registry, columns: 200 })
    expect(stdout).toContain('\nWithout --project or --group: Issues created by the caller')
    expect(stdout).toContain('\nWith --group: Includes issues of subgroups.')
  })

  it('lists resources, and the actions of one', async () => {
    const all = await cli(['api', '--help'], { columns: 120 })
    expect(all).toMatchObject({ code: 0, stderr: '' })
    expect(all.stdout).toMatch(/ gadgets +list, show, create, delete, files, statistics\n/)
    expect(all.stdout).toMatch(/ rare-words +list-old\n/)
    const one = await cli(['gadgets', '--help'], { columns: 120 })
    expect(one.stdout).toMatch(/^Usage: stithy gadgets <action> \[options\]\n/)
    expect(one.stdout).toMatch(/\nActions:\n {2}list .* List gadgets\n/)
    expect(one.stdout).toMatch(/\nResources:\n {2}files +create, raw\n/)
    const delegated = await cli(['help', 'gadgets'], { columns: 120 })
    expect(delegated.stdout).toBe(one.stdout)
  })

  it.each([
    ['labels list', 'List labels of a project or group'],
    ['issues list', 'List issues'],
    ['custom-attributes set', 'Set a custom attribute of a project, group or user'],
    [
      'notification-settings show',
      'Show notification settings of the current user, for a project or for a group',
    ],
  ])('says of %s what it does for every parent', async (command, summary) => {
    const { stdout } = await cli([...command.split(' '), '--help'], { registry, columns: 120 })
    expect(stdout).toMatch(new RegExp(`\n${summary}\n`))
  })

  it.each([[['api']], [['gadgets']], [['api', 'gadgets']], [['gadgets', 'files']], [[]]])(
    'is shown as an error for %j alone',
    async (args) => {
      const { code, stdout, stderr } = await cli(args)
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain('Usage: stithy')
    },
  )
})

describe('stithy --help', () => {
  it('lists the commands, the environment and the exit codes without loading a contract', async () => {
    const registry = new Proxy(
      {},
      {
        ownKeys() {
          throw new Error('loaded')
        },
      },
    )
    const { code, stdout } = await cli(['--help'], { registry })
    expect(code).toBe(0)
    for (const word of ['api', 'login', 'logout', 'whoami', 'STITHY_URL', 'STITHY_TOKEN', '130']) {
      expect(stdout).toContain(word)
    }
  })

  it('shows its version', async () => {
    expect(await cli(['--version'])).toMatchObject({ code: 0, stdout: '1.2.3\n' })
  })
})
