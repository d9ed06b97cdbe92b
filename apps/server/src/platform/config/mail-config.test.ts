// STITHY_SMTP_URL, STITHY_SMTP_STARTTLS, STITHY_SMTP_VERIFY_CERTIFICATE, STITHY_MAIL_FROM and
// STITHY_MAIL_REPLY_TO: off until configured; the password is never shown.
import { describe, expect, it } from 'vitest'
import { ConfigError, loadConfig } from './config.ts'

const mailOf = (env: Record<string, string>) => loadConfig({ env }).mail

describe('the configuration of mail', () => {
  it('is off without a server', () => {
    expect(mailOf({})).toBeUndefined()
    expect(mailOf({ STITHY_MAIL_FROM: 'git@example.com' })).toBeUndefined()
  })

  it('has the server, its credentials and the sender', () => {
    const env = {
      STITHY_SMTP_URL: 'smtp://me%40example.com:p%2Fss@mail.example.com',
      STITHY_MAIL_FROM: 'Git of Example <git@example.com>',
      STITHY_MAIL_REPLY_TO: 'help@example.com',
    }
    expect(mailOf(env)).toMatchObject({
      host: 'mail.example.com',
      port: 587,
      secure: false,
      credentials: { user: 'me@example.com', password: 'p/ss' },
      starttls: 'required',
      verifyCertificate: true,
      from: { name: 'Git of Example', address: 'git@example.com' },
      replyTo: { name: '', address: 'help@example.com' },
    })
  })

  it('sends from noreply at the host of the external URL by default', () => {
    const env = { STITHY_SMTP_URL: 'smtp://mail', STITHY_EXTERNAL_URL: 'https://code.example.com' }
    const from = { name: 'Stithy', address: 'noreply@code.example.com' }
    expect(mailOf(env)).toMatchObject({ from, credentials: undefined, replyTo: undefined })
  })

  it.each([
    ['smtp://mail', {}, 'offered'],
    ['smtp://u:p@mail', {}, 'required'],
    ['smtp://u:p@localhost', {}, 'offered'],
    ['smtp://mail', { STITHY_SMTP_STARTTLS: 'always' }, 'required'],
    ['smtp://u:p@mail', { STITHY_SMTP_STARTTLS: 'never' }, 'never'],
  ])('uses STARTTLS with %s and %o: %s', (url, env, starttls) => {
    expect(mailOf({ STITHY_SMTP_URL: url, ...env })?.starttls).toBe(starttls)
  })

  it('speaks TLS from the first byte with smtps, on port 465', () => {
    const env = { STITHY_SMTP_URL: 'smtps://mail', STITHY_SMTP_VERIFY_CERTIFICATE: 'false' }
    expect(mailOf(env)).toMatchObject({ secure: true, port: 465, verifyCertificate: false })
    expect(mailOf({ STITHY_SMTP_URL: 'smtp://[::1]:25' })).toMatchObject({ host: '::1', port: 25 })
  })

  it.each([
    { STITHY_SMTP_URL: 'http://user:secret@mail' },
    { STITHY_SMTP_URL: 'smtp://user:secret@mail/path' },
    { STITHY_SMTP_URL: 'smtp://user:secret%zz@mail' },
    { STITHY_SMTP_URL: 'smtp://user:secret@' },
    { STITHY_SMTP_URL: 'user:secret@mail' },
    { STITHY_MAIL_FROM: 'nobody' },
    { STITHY_MAIL_FROM: 'Name\r\nBcc: all@example.com <git@example.com>' },
    { STITHY_MAIL_REPLY_TO: 'a@example.com, b@example.com' },
    { STITHY_SMTP_STARTTLS: 'perhaps' },
  ])('rejects %o without showing a password', (env) => {
    const load = () => loadConfig({ env })
    expect(load).toThrow(ConfigError)
    expect(load).toThrow(Object.keys(env)[0])
    expect(load).not.toThrow('secret')
  })
})
