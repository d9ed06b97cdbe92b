import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ConfigError, loadConfig, tierAllows } from './config.ts'

const folder = mkdtempSync(join(tmpdir(), 'stithy-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

function fileWith(text: string): string {
  const path = join(folder, 'stithy.toml')
  writeFileSync(path, text)
  return path
}

describe('loadConfig', () => {
  it('has defaults for everything', () => {
    expect(loadConfig()).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      externalUrl: 'http://127.0.0.1:8080',
      databaseUrl: '',
      tier: 'ultimate',
      defaultBranch: 'master',
      rateLimitAnonymous: 200,
    })
  })

  it('prefers flags to the environment and the environment to the file', () => {
    const file = fileWith('port = 1\nhost = "0.0.0.0"\ntier = "premium"')
    const env = { STITHY_PORT: '2', STITHY_TIER: 'community' }
    const config = loadConfig({ flags: { tier: 'ultimate' }, env, file })
    expect(config).toMatchObject({ port: 2, host: '0.0.0.0', tier: 'ultimate' })
  })

  it('treats an empty variable as unset, and strips trailing slashes of the external URL', () => {
    const env = { STITHY_DATABASE_URL: '', STITHY_EXTERNAL_URL: 'https://code.example.com/' }
    expect(loadConfig({ env })).toMatchObject({
      databaseUrl: '',
      externalUrl: 'https://code.example.com',
    })
  })

  it.each([
    [{ STITHY_PORT: '70000' }, 'STITHY_PORT cannot be "70000": it must be between 0 and 65535'],
    [{ STITHY_PORT: 'abc' }, 'STITHY_PORT cannot be "abc": it must be a number'],
    [{ STITHY_TIER: 'gold' }, 'STITHY_TIER cannot be "gold"'],
    [{ STITHY_EXTERNAL_URL: 'https://host/sub' }, 'it must name a host without a path'],
    [{ STITHY_DATABASE_URL: 'mysql://u:secret@h/d' }, 'it must be a postgres:// URL'],
    [{ STITHY_ROOT_TOKEN: 'short-secret' }, 'it must have 20 characters or more'],
    [{ STITHY_DEFAULT_BRANCH: '-x' }, 'STITHY_DEFAULT_BRANCH cannot be "-x"'],
    [{ STITHY_DEFAULT_BRANCH: 'a..b' }, 'it must be the name of a branch'],
    [{ STITHY_EXTERNAL_URL: 'foo' }, 'STITHY_EXTERNAL_URL cannot be "foo"'],
  ])('rejects %o with a message that names it and contains no secret', (env, sentence) => {
    const load = () => loadConfig({ env })
    expect(load).toThrow(ConfigError)
    expect(load).toThrow(sentence)
    expect(load).not.toThrow('secret')
  })

  it.each([
    ['true', 1],
    ['2', 2],
    ['false', false],
    ['10.0.0.0/8, fd00::1', ['10.0.0.0/8', 'fd00::1']],
  ])('trusts the proxies %s', (value, trustProxy) => {
    expect(loadConfig({ env: { STITHY_TRUST_PROXY: value } })).toMatchObject({ trustProxy })
    expect(loadConfig({ flags: { trust_proxy: true } })).toMatchObject({ trustProxy: 1 })
  })

  it.each(['0', '99', 'yes', '10.0.0.0/33', 'proxy.example.com'])(
    'rejects %j as proxies to trust',
    (value) => {
      expect(() => loadConfig({ env: { STITHY_TRUST_PROXY: value } })).toThrow(
        /STITHY_TRUST_PROXY cannot be/,
      )
    },
  )

  it('rejects a file that cannot be read or has unknown settings', () => {
    expect(() => loadConfig({ file: '/no/such/file' })).toThrow(
      /configuration file .* cannot be read/,
    )
    expect(() => loadConfig({ file: fileWith('port = ') })).toThrow(/cannot be read/)
    expect(() => loadConfig({ file: fileWith('prot = 1') })).toThrow(/unknown setting: prot/)
  })
})

describe('tierAllows', () => {
  it.each([
    ['community', 'premium', false],
    ['premium', 'premium', true],
    ['premium', 'ultimate', false],
    ['ultimate', 'premium', true],
  ] as const)('%s includes %s: %s', (tier, needed, allowed) => {
    expect(tierAllows(tier, needed)).toBe(allowed)
  })
})
