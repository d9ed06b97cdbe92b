/** The files of the sample project, as they were committed first. */
export const firstFiles = {
  'README.md': `# Tides

Predicts high and low water from the harmonic constants of a station.

\`\`\`sh
npm install tides
\`\`\`

## Use

\`\`\`js
import { heightAt, readStation } from 'tides'

const station = await readStation('stations/north-pier.json')
console.log(heightAt(station, new Date()))
\`\`\`

| constituent | period       | what it comes from         |
| ----------- | ------------ | -------------------------- |
| M2          | 12.42 hours  | the moon, twice a day      |
| S2          | 12.00 hours  | the sun, twice a day       |
| O1          | 25.82 hours  | the moon, once a day       |

- [x] Heights at a time
- [ ] Times of high and low water
`,
  'package.json': `{
  "name": "tides",
  "version": "0.3.0",
  "type": "module",
  "scripts": { "test": "node --test" }
}
`,
  'src/station.js': `import { readFile } from 'node:fs/promises'

/** Reads the harmonic constants of a station. */
export async function readStation(path) {
  const { name, constituents } = JSON.parse(await readFile(path, 'utf8'))
  return { name, constituents }
}
`,
  'src/heights.js': `import { speeds } from './speeds.js'

const hour = 3_600_000
const epoch = Date.UTC(2000, 0, 1)

/** The height of the tide above the mean, in metres. */
export function heightAt(station, date) {
  const hours = (date - epoch) / hour
  let height = 0
  for (const { name, amplitude, phase } of station.constituents) {
    height += amplitude * Math.cos(speeds[name] * hours - phase)
  }
  return height
}
`,
  'src/speeds.js': `/** Speeds of the constituents, in radians per hour. */
export const speeds = {
  M2: 0.505868,
  S2: 0.523599,
  O1: 0.243352,
}
`,
  'stations/north-pier.json': `{
  "name": "North Pier",
  "constituents": [
    { "name": "M2", "amplitude": 1.42, "phase": 0.83 },
    { "name": "S2", "amplitude": 0.47, "phase": 1.61 }
  ]
}
`,
}

/** Files of the second commit to the default branch. */
export const secondFiles = {
  'src/heights.js': firstFiles['src/heights.js'].replace(
    '  let height = 0\n',
    '  let height = station.mean ?? 0\n',
  ),
}

/** Files of the branch of the merge request. */
export const branchFiles = {
  'src/speeds.js': firstFiles['src/speeds.js'].replace(
    '  O1: 0.243352,\n',
    '  N2: 0.496367,\n  O1: 0.243352,\n',
  ),
  'src/heights.js': secondFiles['src/heights.js']
    .replace('amplitude, phase }', 'amplitude, phase = 0 }')
    .replace(
      '    height +=',
      '    if (!(name in speeds)) throw new Error("No speed of " + name)\n    height +=',
    ),
}

export const issueText = `The prediction for **North Pier** is 40 minutes late after the change to summer time.

1. Read \`stations/north-pier.json\`.
2. Print the heights of 29 March, every ten minutes.

- [x] Find the first wrong height
- [ ] Use UTC throughout
- [ ] Add a test of both changes of the year
`

export const requestText = `Unknown constituents were skipped in silence, so that heights of stations with \`N2\` were wrong.

Closes #2.
`

export const wikiText = `# Stations

How to add one:

1. Take the constants from the tables of the harbour.
2. Convert phases to radians.
3. Compare a month of heights with the gauge.

| station    | constituents | since      |
| ---------- | ------------ | ---------- |
| North Pier | 2            | March 2026 |
| Old Quay   | 5            | April 2026 |

> Gauges are read every ten minutes; a height in between is interpolated.
`
