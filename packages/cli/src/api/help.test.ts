import { gadgetRegistry } from '@stithy/client/testing'
import { type Contract, contracts, type EndpointSpec } from '@stithy/core'
import { describe, expect, it } from 'vitest'
import { cliIn } from '../../test/run-cli.ts'
import { flagsOf, kebab } from './flags.ts'

const cli = cliIn('/nowhere')
const registry = { ...gadgetRegistry, ...contracts }

const endpoints = Object.entries<Contract>(registry).flatMap(([resource, contract]) =>
  Object.entries(contract).map(([action, endpoint]): [string, string, EndpointSpec] => [
    kebab(resource),
    kebab(action),
    endpoint,
  ]),
)

function namesOf(endpoint: EndpointSpec): string[] {
  return [
    ...Array.from(endpoint.path.matchAll(/:(\w+)/g), ([, name = '']) => name),
    ...Object.keys(endpoint.query?.shape ?? {}),
    ...Object.keys(endpoint.body?.shape ?? {}),
    ...(endpoint.paginated ? ['page', 'per_page'] : []),
  ]
}

describe('stithy api --help', () => {
  it.each(endpoints)(
    'of %s %s names every parameter with its meaning',
    async (resource, action, endpoint) => {
      const { code, stdout } = await cli(['api', resource, action, '--help'], {
        registry,
        columns: 400,
      })
      expect(code).toBe(0)
      expect(stdout).toContain(`Usage: stithy api ${resource} ${action} [options]`)
      expect(stdout).toContain(endpoint.docs.summary)
      expect(stdout).toContain(`${endpoint.method} /api/v4${endpoint.path}`)
      for (const name of namesOf(endpoint)) {
        const meaning = `--${kebab(name)} [<[][\\w=-]+[>\\]] +\\S`
        expect(stdout).toMatch(new RegExp(`^ +${meaning}`, 'm'))
      }
    },
  )

  it.each(endpoints)(
    'of %s %s has options that never meet or negate',
    (_resource, _action, endpoint) => {
      const { fields, common } = flagsOf(endpoint)
      const options = [...fields.map(({ option }) => option), ...Object.values(common)]
      const names = options.map((option) => option.attributeName())
      expect(new Set(names).size).toBe(names.length)
      expect(options.filter((option) => option.negate || option.long === '--help')).toEqual([])
    },
  )

  it('tells types, words, bounds, defaults and what is required', async () => {
    const list = await cli(['api', 'gadgets', 'list', '--help'], { columns: 120 })
    expect(list.stdout).toMatch(/--order-by <word> +one of: id, name\n/)
    expect(list.stdout).toMatch(/--iids <integer> +whole number; may be repeated\n/)
    expect(list.stdout).toMatch(/--states <word> +any of: new, used\n/)
    expect(list.stdout).toMatch(/--since <text> +instant in ISO 8601\n/)
    const create = await cli(['api', 'gadgets', 'create', '--help'], { columns: 120 })
    expect(create.stdout).toMatch(/--id <integer> +whole number, 1 or more \(required\)\n/)
    expect(create.stdout).toMatch(/--name <text> +text \(required\)\n/)
    expect(create.stdout).toMatch(/--weight <integer> +whole number, 0 to 9\n/)
    const remove = await cli(['api', 'gadgets', 'delete', '--help'], { columns: 120 })
    expect(remove.stdout).toMatch(/--hard \[boolean\] +true or false \(default: false\)\n/)
  })

  it('lists resources, and the actions of one', async () => {
    const all = await cli(['api', '--help'], { columns: 120 })
    expect(all).toMatchObject({ code: 0, stderr: '' })
    expect(all.stdout).toMatch(/ gadgets +list, show, create, upload, delete, raw\n/)
    expect(all.stdout).toMatch(/ rare-words +list-old\n/)
    const one = await cli(['api', 'gadgets', '--help'], { columns: 120 })
    expect(one.stdout).toMatch(/ create .*Create a gadget\n/)
  })

  it.each([[['api']], [['api', 'gadgets']], [[]]])(
    'is shown as an error for %j alone',
    async (args) => {
      const { code, stdout, stderr } = await cli(args)
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain('Usage: stithy')
    },
  )
})

describe('stithy --help', () => {
  it('names the commands, the environment and the exit statuses without loading a contract', async () => {
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
