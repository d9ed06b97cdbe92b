/* Writes the bundled script of the pages into dist/, where `#bundled-script` is then found. */
import { writeFileSync } from 'node:fs'
import { bundledScript, embedded } from './src/app/script/bundled-script.ts'

writeFileSync('dist/bundled-script.js', embedded(await bundledScript()))
