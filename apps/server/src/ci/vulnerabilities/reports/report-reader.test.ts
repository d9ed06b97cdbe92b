import { reportLimits } from '@stithy/core'
import { expect, it } from 'vitest'
import { openReport } from './report-reader.ts'

// The most vulnerabilities of a report, which are counted once for each fingerprint.

const finding = (cve: number) => `{"name":"x","cve":"${cve}","scanner":{"id":"x"}}`

/** Reads a report of numbered vulnerabilities, in parts; returns how many it has, or its problem. */
function read(numbers: Iterable<number>): number | string {
  const reader = openReport('sast')
  let total = 0
  let part = '['
  const send = (): string | undefined => {
    const read = reader.write(Buffer.from(part))
    part = ''
    if ('problem' in read) return read.problem
    if ('count' in read) total += read.count
    return undefined
  }
  for (const number of numbers) {
    part += `${part === '[' ? '' : ','}${finding(number)}`
    const problem = part.length > 256 * 1024 ? send() : undefined
    if (problem !== undefined) return problem
  }
  part += ']'
  return send() ?? total
}

function* upTo(count: number): Iterable<number> {
  for (let number = 1; number <= count; number += 1) yield number
}

it('takes as many vulnerabilities as the limit, and one of them twice', () => {
  const most = reportLimits.vulnerabilities
  expect(read([...upTo(most), 1])).toBe(most)
})

it('refuses one vulnerability more', () => {
  const most = reportLimits.vulnerabilities
  expect(read(upTo(most + 1))).toBe(`has more than ${most} vulnerabilities`)
})
