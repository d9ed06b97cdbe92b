import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'

const executablePath = '/usr/bin/chromium'

/** Whether the system has the browser: the suite passes without it. */
export const hasChromium = existsSync(executablePath)

const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export interface Chromium {
  context: BrowserContext
  close: () => Promise<void>
}

/** Starts the system's browser with an empty profile, and by default without JavaScript: the pages must work without it. */
export async function startChromium({ javaScriptEnabled = false } = {}): Promise<Chromium> {
  const profile = await mkdtemp(join(tmpdir(), 'stithy-browser-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args,
    javaScriptEnabled,
  })
  return {
    context,
    async close() {
      await context.close()
      await rm(profile, { recursive: true, force: true })
    },
  }
}
