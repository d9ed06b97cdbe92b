import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import { expect, it, vi } from 'vitest'
import { loadHostKey } from './host-key.ts'

it('loadHostKey writes no key that cannot be parsed', async () => {
  const data = await mkdtemp(join(tmpdir(), 'stithy-host-key-'))
  const good = ssh2.utils.generateKeyPairSync('ed25519')
  const cut = { ...good, private: good.private.slice(0, -60) }
  const generate = vi
    .spyOn(ssh2.utils, 'generateKeyPairSync')
    .mockReturnValueOnce(cut)
    .mockReturnValueOnce(cut)
  const config = { data } as Parameters<typeof loadHostKey>[0]
  const key = await loadHostKey(config)
  expect(ssh2.utils.parseKey(key)).not.toBeInstanceOf(Error)
  expect(generate.mock.calls.length).toBeGreaterThan(2)
  expect(await loadHostKey(config)).toBe(key)
})
