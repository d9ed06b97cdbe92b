import { PassThrough, Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { packet } from '../parsing/pkt-line.ts'
import { parseReceiveRequest, readReceiveRequest, reportStatusRefusal } from './receive-commands.ts'

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
const body = Buffer.concat([head, Buffer.from('PACK'), Buffer.alloc(5000, 'x')])
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
    'reads the head in chunks of %d and puts all back',
    async (size) => {
      const stream = new PassThrough()
      const reading = readReceiveRequest(stream)
      for (let at = 0; at < body.length; at += size) stream.write(body.subarray(at, at + size))
      stream.end()
      expect(await reading).toEqual(expected)
      const rest: Buffer[] = []
      for await (const chunk of stream) rest.push(chunk)
      expect(Buffer.concat(rest).equals(body)).toBe(true)
    },
  )

  it('restores a body that consists of a head only', async () => {
    const stream = Readable.from([head], { objectMode: false })
    await readReceiveRequest(stream)
    expect(Buffer.concat(await stream.toArray()).equals(head)).toBe(true)
    const probe = Readable.from([flush], { objectMode: false })
    expect(await readReceiveRequest(probe)).toEqual({ commands: [], capabilities: [] })
    expect(Buffer.concat(await probe.toArray()).equals(flush)).toBe(true)
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

  it('makes a push of several refs atomic if requested', async () => {
    const line = (ref: string, rest = '') => packet(`${old} ${next} ${ref}${rest}`)
    const shallow = packet(`shallow ${old}`)
    const rest = Buffer.concat([line('refs/heads/b'), flush, Buffer.from('PACK')])
    for (const capabilities of ['\0 report-status ofs-delta', '\0report-status \n', '\0']) {
      const first = line('refs/heads/a', capabilities)
      const stream = Readable.from([Buffer.concat([shallow, first, rest])], { objectMode: false })
      await readReceiveRequest(stream, { atomic: true })
      const bytes = Buffer.concat(await stream.toArray())
      expect(parseReceiveRequest(bytes)).toMatchObject({
        commands: [{ ref: 'refs/heads/a' }, { ref: 'refs/heads/b' }],
        capabilities: expect.arrayContaining(['atomic']),
      })
      expect(bytes.subarray(0, shallow.length)).toEqual(shallow)
      expect(bytes.subarray(-rest.length)).toEqual(rest)
    }
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

describe('reportStatusRefusal', () => {
  const { commands } = expected

  it('is a plain report for a client without side bands', () => {
    const answer = reportStatusRefusal(commands, ['report-status'], { 'refs/tags/ü': 'no\nway' })
    const hint = 'another ref of this push was refused'
    const lines = ['unpack ok\n', `ng refs/heads/a b ${hint}\n`, 'ng refs/tags/ü no way\n']
    expect(answer.equals(Buffer.concat([...lines.map((line) => packet(line)), flush]))).toBe(true)
  })

  it('is empty for a client that requests no report', () => {
    expect(reportStatusRefusal(commands, [], {})).toHaveLength(0)
    expect(reportStatusRefusal(commands, ['side-band-64k'], {}).toString()).toBe('0000')
  })

  it('handles a ref called constructor', () => {
    const odd = [{ ref: 'constructor', oldOid: old, newOid: next }]
    expect(reportStatusRefusal(odd, ['report-status'], {}).toString()).toContain('another ref')
  })
})

describe('parseReceiveRequest', () => {
  it('waits for announced push options', () => {
    expect(parseReceiveRequest(head.subarray(0, head.length - 4))).toBeUndefined()
    expect(parseReceiveRequest(body)).toEqual(expected)
  })
})
