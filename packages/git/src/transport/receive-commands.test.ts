import { PassThrough, Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { packet } from '../parsing/pkt-line.ts'
import { type PushResult, readReceiveRequest, reportStatus } from './receive-commands.ts'

const old = '1'.repeat(40)
const next = '2'.repeat(40)
const flush = Buffer.from('0000')
const head = Buffer.concat([
  packet(`shallow ${old}\n`),
  packet(`${old} ${next} refs/heads/a b\0 report-status side-band-64k push-options agent=git/2`),
  packet(`${next} ${old} refs/tags/ü\n`),
  flush,
  packet('ci.skip\n'),
  packet('a=b'),
  flush,
])
const pack = Buffer.concat([Buffer.from('PACK'), Buffer.alloc(5000, 'x')])
const body = Buffer.concat([head, pack])
const expected = {
  commands: [
    { oldOid: old, newOid: next, ref: 'refs/heads/a b' },
    { oldOid: next, newOid: old, ref: 'refs/tags/ü' },
  ],
  capabilities: ['report-status', 'side-band-64k', 'push-options', 'agent=git/2'],
  pushOptions: ['ci.skip', 'a=b'],
}

describe('readReceiveRequest', () => {
  it.each([1, 3, 7, 100, 100_000])(
    'reads the head in chunks of %d and leaves the rest',
    async (size) => {
      const stream = new PassThrough()
      const reading = readReceiveRequest(stream)
      for (let at = 0; at < body.length; at += size) stream.write(body.subarray(at, at + size))
      stream.end()
      expect(await reading).toEqual(expected)
      const rest: Buffer[] = []
      for await (const chunk of stream) rest.push(chunk)
      expect(Buffer.concat(rest).equals(pack)).toBe(true)
    },
  )

  it('leaves nothing of a body that consists of a head only', async () => {
    const stream = Readable.from([head], { objectMode: false })
    expect(await readReceiveRequest(stream)).toEqual(expected)
    expect(await stream.toArray()).toEqual([])
    const probe = Readable.from([flush], { objectMode: false })
    expect(await readReceiveRequest(probe)).toEqual({ commands: [], capabilities: [] })
    expect(await probe.toArray()).toEqual([])
  })

  it.each([
    ['a body that ends early', head.subarray(0, 60), 'aborted'],
    ['an empty body', Buffer.alloc(0), 'aborted'],
    ['no packets', Buffer.from('GET / HTTP/1.1'), 'invalid'],
    ['no commands', Buffer.concat([packet('push-cert\0x'), flush]), 'invalid'],
    ['a short id', Buffer.concat([packet('12 34 refs/heads/x'), flush]), 'invalid'],
  ])('refuses %s', async (_, bytes, code) => {
    const stream = Readable.from([bytes], { objectMode: false })
    await expect(readReceiveRequest(stream)).rejects.toMatchObject({ code })
  })

  it('rejects if the sender disconnects, and if there are too many refs', async () => {
    const disconnecting = new PassThrough()
    disconnecting.write(head.subarray(0, 20))
    setTimeout(() => disconnecting.destroy(), 10)
    await expect(readReceiveRequest(disconnecting)).rejects.toMatchObject({ code: 'aborted' })
    const line = packet(`${old} ${next} refs/heads/${'x'.repeat(60_000)}`)
    const endless = Readable.from(
      (function* () {
        for (;;) yield line
      })(),
      { objectMode: false },
    )
    await expect(readReceiveRequest(endless)).rejects.toMatchObject({ code: 'output_limit' })
    endless.destroy()
  })
})

describe('reportStatus', () => {
  const { commands } = expected
  const report = (capabilities: string[], result: PushResult) =>
    reportStatus({ commands, capabilities }, result)
  const packets = (lines: string[]) =>
    Buffer.concat([...lines.map((line) => packet(line)), flush]).toString()

  it('is a plain report for a client without side bands', () => {
    const reasons = { 'refs/tags/ü': 'no\nway' }
    const hint = 'another ref of this push was refused'
    const lines = ['unpack ok\n', `ng refs/heads/a b ${hint}\n`, 'ng refs/tags/ü no way\n']
    expect(report(['report-status'], { reasons }).toString()).toBe(packets(lines))
    const changed = ['unpack ok\n', 'ok refs/heads/a b\n', 'ok refs/tags/ü\n']
    expect(report(['report-status-v2'], {}).toString()).toBe(packets(changed))
    expect(report(['report-status'], { unpackError: 'no\0pe', reasons }).toString()).toContain(
      packet('unpack no pe\n').toString(),
    )
  })

  it('is empty for a client that requests no report', () => {
    expect(report([], { reasons: {} })).toHaveLength(0)
    expect(report(['side-band-64k'], { reasons: {} }).toString()).toBe('0000')
  })

  it('handles a ref called constructor', () => {
    const odd = [{ ref: 'constructor', oldOid: old, newOid: next }]
    const request = { commands: odd, capabilities: ['report-status'] }
    expect(reportStatus(request, { reasons: {} }).toString()).toContain('another ref')
  })
})
