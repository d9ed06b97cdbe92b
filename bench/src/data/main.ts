import { parseArgs } from 'node:util'
import { dataFolder } from '../paths.ts'
import { generate } from './generate.ts'
import { isSizeName, sizes } from './sizes.ts'

const usage = 'Usage: pnpm bench:data small|large|people [--force]\n'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { force: { type: 'boolean', default: false } },
})
const say = (text: string) => process.stderr.write(`${text}\n`)

if (positionals.length === 0 || !positionals.every(isSizeName)) {
  process.stderr.write(usage)
  process.exitCode = 2
} else {
  for (const name of positionals.filter(isSizeName)) {
    const options = { force: values.force, progress: say }
    const written = await generate(dataFolder(name), sizes[name], options)
    say(written ? `${dataFolder(name)} is ready` : `${dataFolder(name)} is up to date`)
  }
}
