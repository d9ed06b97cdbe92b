// Mail is handed to an SMTP server by jobs of a queue with slots of its own: with retries, each mail
// once, none lost, and a server that hangs holds up nothing else.
import { enqueueJob } from '@stithy/store'
import { html } from '@stithy/web'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  mailConfig,
  startMailServer,
  type TestMailServer,
} from '../../testing/clients/mail-server.ts'
import { setSetting } from '../../testing/settings.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'
import type { JobHandler } from '../jobs/run-job.ts'
import { startWorker } from '../jobs/worker.ts'
import { sendMailJob } from './mail.jobs.ts'
import { enqueueMails, isMailSent } from './mail.ts'
import type { MailContent } from './mail-message.ts'
import { MailRefusedError, openMailTransport } from './mail-transport.ts'

let mailServer: TestMailServer
let server: TestServer
let dropped: string[] = []
beforeAll(async () => {
  mailServer = await startMailServer()
  server = await buildTestServer({ mail: mailServer.config({ stopMs: 50 }) })
  server.app.mailWriters = {
    ...server.app.mailWriters,
    test: async (_app, { key }) => (dropped.includes(key) ? undefined : contentOf(key)),
  }
})
afterAll(async () => {
  await server.close()
  await mailServer.close()
})
beforeEach(() => {
  dropped = []
  mailServer.behave('accept')
})
afterEach(() => server.runJobs())

let count = 0
const newKey = () => `test:${++count}`

function contentOf(key: string): MailContent {
  return {
    to: { name: 'Ada', address: 'ada@example.com' },
    subject: key,
    body: { text: 'Hello', html: html`<p>Hello</p>` },
    footer: [],
    messageId: `${key}@stithy.test`,
  }
}

async function enqueue(...keys: string[]): Promise<void> {
  const mails = keys.map((key) => ({ key, kind: 'test', userId: 1, payload: {} }))
  await server.app.db.transaction((tx) => enqueueMails(tx, mails, server.app.now()))
}

const subjects = () => mailServer.take().map(({ subject }) => subject)

async function stateOf(key: string): Promise<string | undefined> {
  const row = await server.app.db.first('test.mail', { key }, (db, $) =>
    db.selectFrom('mails').where('key', '=', $('key')).select('state'),
  )
  return row?.state
}

describe('a mail', () => {
  it('is sent once, however often it is enqueued', async () => {
    const [one, other] = [newKey(), newKey()]
    await enqueue(one, other)
    await enqueue(one)
    await server.runJobs()
    expect(subjects().toSorted()).toEqual([one, other])
    await enqueue(one)
    await server.runJobs()
    expect(subjects()).toEqual([])
    expect(await stateOf(one)).toBe('sent')
  })

  it('is sent later while the server refuses it for now', async () => {
    const key = newKey()
    mailServer.behave('refuse_for_now')
    await enqueue(key)
    await server.runJobs()
    mailServer.behave('accept')
    await server.runJobs()
    expect(subjects()).toEqual([])
    expect(await stateOf(key)).toBe('waiting')
    server.advance(15_001)
    await server.runJobs()
    expect(subjects()).toEqual([key])
  })

  it('is sent later when the server refuses the sender, who is configured', async () => {
    const key = newKey()
    mailServer.behave('refuse_sender')
    await enqueue(key)
    await server.runJobs()
    mailServer.behave('accept')
    server.advance(15_001)
    await server.runJobs()
    expect(subjects()).toEqual([key])
  })

  it('is not sent again when the server refuses the recipient for good', async () => {
    const key = newKey()
    mailServer.behave('refuse')
    await enqueue(key)
    await server.runJobs()
    mailServer.behave('accept')
    server.advance(24 * 60 * 60_000)
    await server.runJobs()
    expect(subjects()).toEqual([])
    expect(await stateOf(key)).toBe('refused')
  })

  it('is sent again with the same id if the connection ends before the reply', async () => {
    const key = newKey()
    mailServer.behave('drop_after_accepting')
    await enqueue(key)
    await server.runJobs()
    mailServer.behave('accept')
    server.advance(15_001)
    await server.runJobs()
    const ids = mailServer.take().map(({ messageId }) => messageId)
    expect(ids).toEqual([`<${key}@stithy.test>`, `<${key}@stithy.test>`])
  })

  it('is dropped when it has become pointless', async () => {
    const key = newKey()
    await enqueue(key)
    dropped = [key]
    await server.runJobs()
    expect([subjects(), await stateOf(key)]).toEqual([[], 'dropped'])
  })

  it('is not enqueued for a user who does not exist', async () => {
    const mail = { key: newKey(), kind: 'test', userId: 999_999, payload: {} }
    await server.app.db.transaction((tx) => enqueueMails(tx, [mail], server.app.now()))
    expect(await stateOf(mail.key)).toBeUndefined()
  })

  it('is completed with its job in one transaction, so a killed worker repeats neither', async () => {
    const key = newKey()
    await enqueue(key)
    // The worker dies once the server has the message, before anything is recorded.
    const run: JobHandler['run'] = (app, payload, signal) =>
      sendMailJob.run(app, payload, signal, {
        complete: () => Promise.reject(new Error('killed')),
        fail: () => Promise.resolve(),
        leaveSlot: () => false,
      })
    const worker = startWorker(server.app, { handlers: [{ kind: sendMailJob.kind, run }] })
    await worker.idle()
    await worker.stop()
    expect([subjects(), await stateOf(key)]).toEqual([[key], 'waiting'])
    server.advance(15_001)
    await server.runJobs()
    expect([subjects(), await stateOf(key)]).toEqual([[key], 'sent'])
  })
})

describe('a server that hangs', () => {
  it('holds up no other job, and no mail is lost', async () => {
    const keys = Array.from({ length: 8 }, newKey)
    mailServer.behave('hang')
    await enqueue(...keys)
    const ran = Promise.withResolvers<void>()
    const other: JobHandler = { kind: 'test', run: async () => ran.resolve() }
    const worker = startWorker(server.app, { handlers: [sendMailJob, other], concurrency: 1 })
    const job = { queue: 'default', kind: 'test', payload: null }
    await server.app.db.transaction((tx) => enqueueJob(tx, job, server.app.now()))
    worker.wake()
    await ran.promise
    await worker.stop()
    expect(subjects()).toEqual([])
    mailServer.behave('accept')
    server.advance(15_001)
    await server.runJobs()
    expect(subjects().toSorted()).toEqual(keys.toSorted())
  })
})

describe('mails of the past', () => {
  it('are forgotten after a month', async () => {
    const key = newKey()
    await enqueue(key)
    await server.runJobs()
    mailServer.take()
    const remove = async () => {
      const job = { queue: 'maintenance', kind: 'mail.remove_old', payload: null }
      await server.app.db.transaction((tx) => enqueueJob(tx, job, server.app.now()))
      await server.runJobs()
    }
    await remove()
    expect(await stateOf(key)).toBe('sent')
    server.advance(31 * 24 * 60 * 60_000)
    await remove()
    expect(await stateOf(key)).toBeUndefined()
  })
})

describe('the settings of mail', () => {
  it('act when a mail is sent', async () => {
    await setSetting(server, 'html_emails_enabled', false)
    await setSetting(server, 'email_additional_text', 'Example & Co')
    await enqueue(newKey())
    await server.runJobs()
    const [mail] = mailServer.take()
    expect(mail?.html).toBe(false)
    expect(mail?.text).toContain('Example & Co')
    await setSetting(server, 'html_emails_enabled', true)
    await setSetting(server, 'email_additional_text', '')
  })
})

describe('the header and footer message of the appearance', () => {
  it('are in mails with email_header_and_footer_enabled alone', async () => {
    const put = async (enabled: boolean) => {
      const body = {
        header_message: 'Closed on Friday',
        footer_message: 'Example Ltd',
        email_header_and_footer_enabled: enabled,
      }
      const { token } = server.root
      const { status } = await server.inject('PUT', '/application/appearance', { token, body })
      expect(status).toBe(200)
      await enqueue(newKey())
      await server.runJobs()
      return mailServer.take()[0]
    }
    const mail = await put(true)
    expect(mail?.text).toMatch(/^Closed on Friday\n\n[\s\S]*\nExample Ltd\n*$/)
    expect(mail?.html).toContain('Closed on Friday')
    const plain = await put(false)
    expect(`${plain?.text}${plain?.html}`).not.toMatch(/Closed|Example Ltd/)
  })
})

describe('without a configured server', () => {
  it('no mail is sent, and none that waits from before is kept', async () => {
    const other = await buildTestServer()
    expect(other.app.mailTransport).toBeUndefined()
    // The other server of this process sends mail, so this one is stored.
    const mails = [{ key: newKey(), kind: 'test', userId: 1, payload: {} }]
    await other.app.db.transaction((tx) => enqueueMails(tx, mails, other.app.now()))
    await other.runJobs()
    const states = await other.app.db.all('test.states', {}, (db) =>
      db.selectFrom('mails').select('state'),
    )
    expect(states).toEqual([{ state: 'dropped' }])
    await other.close()
    expect([mailServer.take(), isMailSent()]).toEqual([[], true])
  })
})

describe('a password of the SMTP server', () => {
  const message = { from: 'a@example.com', to: 'b@example.com', text: 'Hello' }
  const signal = new AbortController().signal

  async function open(starttls: 'required' | 'offered') {
    const config = mailConfig('smtp://someone:very-secret@localhost')
    return openMailTransport({ ...config, port: mailServer.config().port, starttls })
  }

  it('is neither sent in clear text nor in an error, where STARTTLS is required', async () => {
    const transport = await open('required')
    const error = await transport.send(message, signal).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Error)
    const text = JSON.stringify(error, Object.getOwnPropertyNames(error))
    expect(text).not.toContain('very-secret')
    expect(text).not.toContain(Buffer.from('\0someone\0very-secret').toString('base64'))
    expect([mailServer.take(), mailServer.passwords()]).toEqual([[], []])
    transport.close()
  })

  it('is sent to a server that the configuration trusts without it', async () => {
    const transport = await open('offered')
    await transport.send(message, signal)
    expect(mailServer.take()).toHaveLength(1)
    expect(mailServer.passwords()).toEqual(['very-secret'])
    transport.close()
  })
})

describe('the connection to an SMTP server', () => {
  it.each(['silenceMs', 'messageMs'] as const)('ends after `%s`', async (limit) => {
    mailServer.behave('hang')
    const transport = await openMailTransport(mailServer.config({ [limit]: 50 }))
    const message = { from: 'a@example.com', to: 'b@example.com', text: 'Hello' }
    const sent = transport.send(message, new AbortController().signal)
    await expect(sent).rejects.toThrow()
    await expect(sent).rejects.not.toBeInstanceOf(MailRefusedError)
    transport.close()
  })
})
