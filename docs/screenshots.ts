/** Makes the pictures of docs/screenshots, and pages.json beside them, which says what they were made of. */
import { writeFileSync } from 'node:fs'
import { startChromium } from '../apps/server/src/testing/clients/chromium.ts'
import {
  digestPages,
  pictured,
  signedIn,
} from '../apps/server/src/testing/screenshots/page-digests.ts'
import { buildSample, type Sample } from '../apps/server/src/testing/screenshots/sample-data.ts'

const folder = new URL('screenshots/', import.meta.url)
const colorSchemes = ['light', 'dark'] as const

/** Sizes of the window, and of the pictures in comparison. */
const screens = {
  desktop: { width: 1280, height: 800, scale: 0.75 },
  phone: { width: 360, height: 740, scale: 1 },
}

type Browser = Awaited<ReturnType<typeof startChromium>>

async function takePictures(sample: Sample, { context }: Browser): Promise<void> {
  const base = await sample.server.url()
  const { cookies } = await signedIn(sample)
  // The server's clock stands still: without a date of expiry, the browser keeps them.
  await context.addCookies(Array.from(cookies, ([name, value]) => ({ name, value, url: base })))
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  for (const [screen, { width, height, scale }] of Object.entries(screens)) {
    await page.setViewportSize({ width, height })
    for (const [name, path] of Object.entries(pictured)) {
      const response = await page.goto(base + path)
      if (response?.status() !== 200) throw new Error(`${path} answers ${response?.status()}`)
      for (const colorScheme of colorSchemes) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        const clip = { x: 0, y: 0, width, height, scale }
        const picture = { format: 'webp', quality: 50, clip } as const
        const { data } = await devtools.send('Page.captureScreenshot', picture)
        const file = `${name}-${colorScheme}-${screen}.webp`
        writeFileSync(new URL(file, folder), Buffer.from(data, 'base64'))
      }
    }
  }
}

const sample = await buildSample()
const chromium = await startChromium()
try {
  await takePictures(sample, chromium)
  const digests = await digestPages(sample)
  writeFileSync(new URL('pages.json', folder), `${JSON.stringify(digests, null, 2)}\n`)
} finally {
  await chromium.close()
  await sample.server.close()
}
// Git's broker, which tests share, ends with the process.
process.exit()
