import { describe, expect, it } from 'vitest'
import { templateFiles } from '../../directory/templates/template-files.ts'
import { checkConfiguration } from './check-configuration.ts'

// The rules themselves: `ci-configuration.rules.test.ts`.

const many = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at))

describe('checkConfiguration', () => {
  it('accepts every template', async () => {
    const files = await templateFiles('service_ci_ymls')
    expect(files.length).toBeGreaterThanOrEqual(25)
    for (const { key, content } of files) {
      expect([key, checkConfiguration(content)]).toEqual([key, undefined])
    }
  })

  it.each([
    ['anchors and merge keys', '.a: &a\n  script: x\ntest:\n  <<: *a\n  stage: test\n'],
    ['references', '.a:\n  script: [x]\ntest:\n  script:\n    - !reference [.a, script]\n'],
    ['words of YAML 1.1', 'test:\n  script: x\n  allow_failure: yes\n'],
    ['the texts y and n', 'test:\n  script: y\n  only: [n]\n  variables: { FORCE: Y }\n'],
    ['a job with the name of the header', 'spec:\n  script: rspec\n'],
    ['a second document, which is not read', 'test:\n  script: x\n---\ntest: 1\n'],
    ['a repeated key, of which the last counts', 'test: 1\ntest:\n  script: x\n'],
    ['a header of its own', 'spec:\n  inputs: {}\n---\ntest:\n  script: x\n'],
    ['keys that objects have', 'toString:\n  script: x\n__proto__:\n  script: x\n'],
    ['days, which are texts', 'test:\n  script: x\n  variables:\n    DAY: 2019-01-01\n'],
  ])('takes %s', (_, content) => {
    expect(checkConfiguration(content)).toBeUndefined()
  })

  it.each([
    ['', 'Please provide content of .gitlab-ci.yml'],
    [' \n\t', 'Please provide content of .gitlab-ci.yml'],
    ['# nothing', 'Invalid configuration format'],
    ['- a', 'Invalid configuration format'],
    ['a: [', '(<unknown>): '],
    ['a: @', '(<unknown>): '],
    ['a: *b', '(<unknown>): '],
    ['\u0000', '(<unknown>): '],
    ['a:\n  script: x\n  needs: [b]\n', 'a job: undefined need: b'],
    ['__proto__:\n  stage: x\n', 'jobs:__proto__ config should implement a script: or a trigger:'],
  ])('has an error for %j', (content, error) => {
    expect(checkConfiguration(content)?.slice(0, error.length)).toBe(error)
  })

  it('names the place of an error in the YAML', () => {
    expect(checkConfiguration('a: 1\nb: *c\n')).toMatch(/^\(<unknown>\): .* at line 2 column \d+$/)
  })

  it.each([
    ['lists in lists', '['.repeat(500_000)],
    ['mappings in mappings', many(1400, (at) => `${' '.repeat(at)}a:`).join('\n')],
    ['explicit keys', '? '.repeat(200_000)],
    [
      'aliases that multiply',
      `a0: &a0 [x]\n${many(40, (at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`).join('\n')}`,
    ],
    [
      'merge keys that multiply',
      `.a: &a {${many(5000, (at) => `k${at}: 1`).join()}}\n${many(900, (at) => `b${at}: {<<: *a}`).join('\n')}`,
    ],
    ['many jobs', many(60_000, (at) => `k${at}: {script: x}`).join('\n')],
    ['many anchors', many(30_000, (at) => `k${at}: &x${at} 1`).join('\n')],
    ['many documents', '---\na\n'.repeat(100_000)],
    ['long numbers', `a: ${'1:'.repeat(200_000)}1`],
    ['open quotes', '"'.repeat(100_001)],
  ])('has an answer for %s', (_, content) => {
    expect(checkConfiguration(content)).not.toBe('')
  })

  it.each([
    ['an anchor', `a: *${'b'.repeat(500_000)}`],
    ['a tag', `a: !${'b'.repeat(500_000)} x`],
    ['a tag by its address', `a: !<${'b'.repeat(500_000)}> x`],
    ['a directive', `%TAG !a! ${'b'.repeat(500_000)}\n%TAG !a! x\n---\na`],
    ['a key', `job: {script: x, ${'b'.repeat(500_000)}: 1}`],
    ['a stage', `job: {script: x, stage: ${'b'.repeat(500_000)}}`],
    [
      'an alias in each of many places',
      `.a: &a ${'b'.repeat(30_000)}\njob: {script: x, retry: {when: [${many(2000, () => '*a').join()}]}}`,
    ],
  ])('has a short error where %s is long', (_, content) => {
    expect(checkConfiguration(content)?.length).toBeLessThan(2000)
  })
})
