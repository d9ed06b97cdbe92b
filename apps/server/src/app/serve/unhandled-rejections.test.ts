import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'

const file = new URL('./unhandled-rejections.ts', import.meta.url).href

function run(script: string): string[] {
  const source = `
    import { logUnhandledRejections } from ${JSON.stringify(file)}
    const log = { error: ({ err }) => console.log('logged', err.message) }
    ${script}`
  const args = ['--input-type=module', '--eval', source]
  const output = execFileSync(process.execPath, args, { encoding: 'utf8', stdio: 'pipe' })
  return output.trim().split('\n')
}

describe('logUnhandledRejections', () => {
  it('logs a rejection that nobody awaits, and the process lives on', () => {
    const lines = run(`
      logUnhandledRejections(log)
      Promise.reject(new Error('nobody awaited it'))
      setImmediate(() => setImmediate(() => console.log('alive')))`)
    expect(lines).toEqual(['logged nobody awaited it', 'alive'])
  })

  it('leaves the default to others once it has ended', () => {
    const end = `logUnhandledRejections(log)()
      Promise.reject(new Error('nobody awaited it'))`
    expect(() => run(end)).toThrow(/nobody awaited it/)
  })
})
