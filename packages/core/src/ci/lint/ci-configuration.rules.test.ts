import { describe, expect, it } from 'vitest'
import { ciConfigurationError } from './ci-configuration.rules.ts'
import { maxConfigurationDepth, maxConfigurationValues } from './ci-limits.rules.ts'
import { isDuration } from './duration.rules.ts'

/** Each kind of key, valid alone and together. */
const job = { script: ['x'] }
const withJob = (keys: object) => ({ test: { ...job, ...keys } })

describe('ciConfigurationError', () => {
  it.each<[string, unknown]>([
    ['a job with one command', { test: { script: 'x' } }],
    ['nested commands', withJob({ before_script: ['a', ['b', ['c']]] })],
    ['templates of anything', { ...withJob({}), '.a': 1, '.b': ['x'] }],
    ['stages of its own', { stages: ['one'], test: { ...job, stage: 'one' } }],
    ['the older names of stages', { types: ['one'], test: { ...job, type: 'one' } }],
    [
      'the first and the last stage',
      { a: { ...job, stage: '.pre' }, b: { ...job, stage: '.post' } },
    ],
    ['images', { image: 'ruby', ...withJob({ image: { name: 'a', entrypoint: [''] } }) }],
    ['services', { services: ['a', { name: 'b', alias: 'c' }], ...withJob({}) }],
    ['variables', { variables: { A: 'x', B: 1, C: { value: 'y' } }, ...withJob({}) }],
    ['caches', withJob({ cache: [{ key: { files: ['a'] }, paths: ['b'] }, { policy: '$P' }] })],
    ['artifacts', withJob({ artifacts: { paths: ['a'], expire_in: '3 mins 4 sec', reports: {} } })],
    ['conditions', withJob({ only: ['master', '/^x/'], except: { refs: ['tags'] } })],
    ['rules', withJob({ rules: [{ if: '$A', when: 'never' }, [{ changes: ['a'] }]] })],
    ['delays', withJob({ when: 'delayed', start_in: '30 minutes' })],
    ['retries', withJob({ retry: { max: 2, when: ['runner_system_failure'] }, parallel: 50 })],
    ['allowed failures', withJob({ allow_failure: { exit_codes: [1] }, coverage: '/a/' })],
    ['downstream pipelines', { bridge: { trigger: { project: 'a/b', strategy: 'depend' } } }],
    ['a release', withJob({ release: { tag_name: 'v1', description: 'x' } })],
    ['defaults', { default: { image: 'a', retry: 1 }, ...withJob({}) }],
    ['the rules of the pipeline', { workflow: { rules: [{ when: 'always' }] }, ...withJob({}) }],
    ['an environment', withJob({ environment: { name: 'a/$B', url: 'https://$C.example' } })],
    ['blank keys', { image: null, ...withJob({ tags: null, stage: null }) }],
    ['included files', { include: ['/a.yml', { local: 'b.yaml' }, { template: 'Go.yml' }] }],
    ['what they may define', { include: { project: 'a', file: ['b.yml'] }, x: { stage: 'y' } }],
  ])('allows %s', (_, value) => {
    expect(ciConfigurationError(value)).toBeUndefined()
  })

  it.each<[unknown, string]>([
    [undefined, 'Invalid configuration format'],
    ['text', 'Invalid configuration format'],
    [[], 'Invalid configuration format'],
    [{}, 'jobs config should contain at least one visible job'],
    [{ '.a': job }, 'jobs config should contain at least one visible job'],
    [{ test: 1 }, 'jobs:test config should be a hash'],
    [{ test: null }, 'jobs:test config should implement a script: or a trigger: keyword'],
    [{ test: {} }, 'jobs:test config should implement a script: or a trigger: keyword'],
    [{ test: { ...job, foo: 1, bar: 2 } }, 'jobs:test config contains unknown keys: foo, bar'],
    [
      { test: { script: [1] } },
      'jobs:test:script config should be a string or a nested array of strings up to 10 levels deep',
    ],
    [{ image: 1, ...withJob({}) }, 'image config should be a hash or a string'],
    [withJob({ image: { name: 'a', x: 1 } }), 'jobs:test:image config contains unknown keys: x'],
    [withJob({ image: {} }), "jobs:test:image name can't be blank"],
    [withJob({ services: 'a' }), 'jobs:test:services config should be an array'],
    [{ stages: 'a', ...withJob({}) }, 'stages config should be an array of strings'],
    [withJob({ stage: 1 }), 'jobs:test:stage config should be a string'],
    [
      withJob({ stage: 'x' }),
      'test job: chosen stage x does not exist; available stages are .pre, build, test, deploy, .post',
    ],
    [
      withJob({ variables: ['a'] }),
      'jobs:test:variables config should be a hash of key value pairs',
    ],
    [withJob({ tags: 'a' }), 'jobs:test:tags config should be an array of strings'],
    [withJob({ allow_failure: 'a' }), 'jobs:test allow failure should be a boolean value'],
    [
      withJob({ when: 'x' }),
      'jobs:test when should be one of: on_success, on_failure, always, manual, delayed, never',
    ],
    [withJob({ when: 'delayed' }), 'jobs:test start in should be a duration'],
    [withJob({ when: 'delayed', start_in: 'x' }), 'jobs:test start in should be a duration'],
    [withJob({ start_in: '1 day' }), 'jobs:test start in must be blank'],
    [withJob({ only: 'a' }), 'jobs:test:only has to be either an array of conditions or a hash'],
    [withJob({ only: [1] }), 'jobs:test:only config should be an array of strings'],
    [withJob({ rules: {} }), 'jobs:test:rules config should be an array'],
    [
      withJob({ artifacts: { reports: { junit: 'a', x: 'b' } } }),
      'jobs:test:artifacts:reports config contains unknown keys: x',
    ],
    [
      withJob({ retry: { max: 1, when: ['always', 'x'] } }),
      'jobs:test:retry:when unknown values: x',
    ],
    [
      withJob({ environment: 'a@b' }),
      "jobs:test:environment environment name can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'",
    ],
    [
      { spec: { stage: 'test' }, ...withJob({}) },
      'jobs:spec config should implement a script: or a trigger: keyword',
    ],
    [withJob({ rules: [{ x: 1 }] }), 'jobs:test:rules:rule config contains unknown keys: x'],
    [
      withJob({ rules: [], only: [], except: [] }),
      'jobs:test config key may not be used with `rules`: only, except',
    ],
    [
      { test: { ...job, trigger: 'a/b' } },
      'jobs:test config key may not be used with `trigger`: script',
    ],
    [withJob({ retry: 3 }), 'jobs:test:retry config must be less than or equal to 2'],
    [withJob({ retry: 'x' }), 'jobs:test:retry config has to be either an integer or a hash'],
    [withJob({ parallel: 1 }), 'jobs:test:parallel config must be greater than or equal to 2'],
    [withJob({ parallel: 51 }), 'jobs:test:parallel config must be less than or equal to 50'],
    [withJob({ coverage: 'x' }), 'jobs:test:coverage config must be a regular expression'],
    [withJob({ cache: 1 }), 'jobs:test:cache config should be a hash'],
    [
      withJob({ artifacts: { paths: 'a' } }),
      'jobs:test:artifacts paths should be an array of strings',
    ],
    [
      withJob({ artifacts: { expire_in: 'soon' } }),
      'jobs:test:artifacts expire in should be a duration',
    ],
    [withJob({ environment: { url: 'https://a' } }), "jobs:test:environment name can't be blank"],
    [
      withJob({ environment: { name: 'a', url: 'a' } }),
      'jobs:test:environment url must be a valid url',
    ],
    [withJob({ dependencies: ['x'] }), 'test job: undefined dependency: x'],
    [
      { ...withJob({ dependencies: ['late'] }), late: { ...job, stage: 'deploy' } },
      'test job: dependency late is not defined in current or prior stages',
    ],
    [withJob({ needs: ['x'] }), 'test job: undefined need: x'],
    [
      { ...withJob({ needs: [{ job: 'late' }] }), late: { ...job, stage: 'deploy' } },
      'test job: need late is not defined in current or prior stages',
    ],
    [
      { ...withJob({ needs: [], dependencies: ['other'] }), other: job },
      'jobs:test dependencies the other should be part of needs',
    ],
    [
      { a: { ...job, needs: ['b'] }, b: { ...job, needs: ['a'] } },
      'The pipeline has circular dependencies: a, b',
    ],
    [
      withJob({ environment: { name: 'a', on_stop: 'x' } }),
      'test job: on_stop job x is not defined',
    ],
    [
      { ...withJob({ environment: { name: 'a', on_stop: 'x' } }), x: job },
      'test job: on_stop job x does not have environment defined',
    ],
    [
      { ...withJob({ environment: { name: 'a', on_stop: 'x' } }), x: { ...job, environment: 'b' } },
      'test job: on_stop job x have different environment name',
    ],
    [
      { ...withJob({ environment: { name: 'a', on_stop: 'x' } }), x: { ...job, environment: 'a' } },
      'test job: on_stop job x needs to have action stop defined',
    ],
    [{ include: 1 }, 'include config should be a hash, a string or an array of them'],
    [{ include: 'a.txt' }, 'Included file `a.txt` does not have YAML extension!'],
    [{ include: { local: '' } }, 'Local file `` is empty!'],
    [{ include: 'https://' }, 'Remote file `https://` does not have a valid address!'],
    [{ include: { file: 'a.yml' } }, 'include config must specify the project of the file'],
    [
      { include: { local: 'a.yml', remote: 'b' } },
      'Include `{"local":"a.yml","remote":"b"}` needs to match exactly one accessor!',
    ],
    [{ ['x'.repeat(256)]: job }, `jobs:${'x'.repeat(100)}... config name is too long`],
  ])('refuses %j', (value, error) => {
    expect(ciConfigurationError(value)).toBe(error)
  })
})

describe('extends', () => {
  it('merges mappings, and replaces other values', () => {
    const base = { script: 'x', variables: { A: 1 }, retry: 9 }
    const value = { '.a': base, '.b': { retry: 1 }, test: { extends: ['.a', '.b'] } }
    expect(ciConfigurationError(value)).toBeUndefined()
    const reversed = { ...value, test: { extends: ['.b', '.a'] } }
    const error = 'jobs:test:retry config must be less than or equal to 2'
    expect(ciConfigurationError(reversed)).toBe(error)
  })

  it.each<[unknown, string]>([
    [{ test: { extends: '.x' } }, 'test: unknown keys in `extends` (.x)'],
    [
      { '.a': { extends: '.b' }, '.b': { extends: '.a' }, test: { extends: '.a' } },
      '.a: circular dependency detected in `extends`',
    ],
    [{ a: { extends: 'a' } }, 'a: circular dependency detected in `extends`'],
  ])('is refused in %j', (value, error) => {
    expect(ciConfigurationError(value)).toBe(error)
  })

  it('goes ten levels deep, in any order of the jobs', () => {
    const levels = (count: number): Array<[string, object]> => [
      ['level0', { script: 'x' }],
      ...Array.from({ length: count }, (_, at): [string, object] => [
        `level${at + 1}`,
        { extends: `level${at}` },
      ]),
    ]
    const error = 'level11: nesting too deep in `extends`'
    for (const jobs of [levels(11), levels(11).reverse()]) {
      expect(ciConfigurationError(Object.fromEntries(jobs))).toBe(error)
    }
    expect(ciConfigurationError(Object.fromEntries(levels(10)))).toBeUndefined()
    expect(ciConfigurationError(Object.fromEntries(levels(10).reverse()))).toBeUndefined()
  })

  it('is refused where it copies too much', () => {
    const keys = Array.from({ length: 1000 }, (_, at) => [`k${at}`, 'x'])
    const jobs = Array.from({ length: 1000 }, (_, at) => [`j${at}`, { extends: '.a' }])
    const value = { '.a': Object.fromEntries(keys), ...Object.fromEntries(jobs) }
    expect(ciConfigurationError(value)).toBe('The parsed YAML is too big')
  })
})

describe('the size of a configuration', () => {
  it('counts what aliases stand for each time, without following them all', () => {
    let list: unknown[] = ['x']
    for (let level = 0; level < 40; level += 1) list = [list, list]
    expect(ciConfigurationError({ a: list })).toBe('The parsed YAML is too big')
    const many = Array.from({ length: maxConfigurationValues }, () => 'x')
    expect(ciConfigurationError({ a: many })).toBe('The parsed YAML is too big')
  })

  it('has limited levels', () => {
    let list: unknown = 'x'
    for (let level = 0; level < maxConfigurationDepth; level += 1) list = [list]
    expect(ciConfigurationError({ a: list })).toBe('The parsed YAML is too deep')
    expect(ciConfigurationError({ ...withJob({}), '.a': [[['x']]] })).toBeUndefined()
  })

  it('is checked in time that grows with it', () => {
    const jobs = Array.from({ length: 5000 }, (_, at) => [
      `j${at}`,
      { script: 'x', needs: at === 0 ? [] : [`j${at - 1}`] },
    ])
    expect(ciConfigurationError(Object.fromEntries(jobs))).toBeUndefined()
  })
})

describe('isDuration', () => {
  it.each([
    0,
    30,
    '30',
    '1 day',
    '3 mins 4 sec',
    '2h20min',
    '2 hrs and 5 minutes',
    'never',
    '1 week',
  ])('takes %j', (value) => {
    expect(isDuration(value)).toBe(true)
  })

  it.each([-1, '', ' ', 'day', '1 day 2', '1 dog', 'tomorrow', null, '1;2', '9'.repeat(300)])(
    'refuses %j',
    (value) => {
      expect(isDuration(value)).toBe(false)
    },
  )
})
