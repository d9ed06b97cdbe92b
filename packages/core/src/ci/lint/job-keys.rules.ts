import { environmentNameError } from '../environments/environment.rules.ts'
import {
  aBoolean,
  address,
  aHash,
  anything,
  aPattern,
  aString,
  commands,
  duration,
  hashOf,
  type KeyChecks,
  listOf,
  nonBlank,
  numberBetween,
  oneOfWords,
  stringOr,
  stringOrStrings,
  strings,
  stringsOf,
  text,
  variables,
} from './config-checks.rules.ts'
import { asList, type Check, isMap, isString, someOf } from './config-values.rules.ts'

const image = stringOr(
  hashOf(
    {
      name: nonBlank,
      entrypoint: stringsOf,
      ports: anything,
      pull_policy: stringOrStrings,
      docker: aHash,
    },
    ['name'],
  ),
)

const service = stringOr(
  hashOf(
    {
      name: nonBlank,
      alias: text,
      entrypoint: stringsOf,
      command: stringsOf,
      ports: anything,
      variables,
      pull_policy: stringOrStrings,
      docker: aHash,
    },
    ['name'],
  ),
)

const services = listOf(service, 'should be an array')

const cachePolicy = oneOfWords('pull-push', 'push', 'pull')

const oneCache = hashOf({
  key: stringOr(
    hashOf({ files: strings, prefix: aString }),
    'should be a hash, a string or a symbol',
  ),
  paths: strings,
  untracked: aBoolean,
  policy: (value, at) =>
    isString(value) && value.includes('$') ? undefined : cachePolicy(value, at),
  when: oneOfWords('on_success', 'on_failure', 'always'),
  fallback_keys: strings,
  unprotect: aBoolean,
})

const cache = listOf(oneCache, 'should be a hash', true)

/** Reports of 12.1, and those that later versions know. */
const reportNames = [
  'accessibility annotations api_fuzzing browser_performance cluster_image_scanning cobertura',
  'codequality container_scanning coverage_fuzzing coverage_report cyclonedx dast',
  'dependency_scanning dotenv junit license_management license_scanning load_performance lsif',
  'metrics performance requirements requirements_v2 sast secret_detection terraform',
]
  .join(' ')
  .split(' ')

const reports = hashOf(
  Object.fromEntries(
    reportNames.map((name) => [name, name === 'coverage_report' ? aHash : stringOrStrings]),
  ),
)

const artifacts = hashOf({
  name: text,
  paths: stringsOf,
  exclude: stringsOf,
  untracked: aBoolean,
  when: oneOfWords('on_success', 'on_failure', 'always'),
  expire_in: duration,
  reports,
  expose_as: text,
  public: aBoolean,
  access: oneOfWords('all', 'developer', 'none', 'maintainer'),
})

const changes: Check = (value, at) =>
  isMap(value)
    ? hashOf({ paths: strings, compare_to: text }, ['paths'])(value, at)
    : strings(value, at)

/** `only` and `except`. */
const policy: Check = (value, at) => {
  if (Array.isArray(value)) return strings(value, at)
  if (!isMap(value)) return `${at} has to be either an array of conditions or a hash`
  const keys = { refs: strings, variables: strings, changes, kubernetes: oneOfWords('active') }
  return hashOf(keys)(value, at)
}

const startKeys = {
  when: oneOfWords('on_success', 'on_failure', 'always', 'manual', 'delayed', 'never'),
  start_in: duration,
}

const allowFailure: Check = (value, at) =>
  isMap(value) ? hashOf({ exit_codes: anything }, ['exit_codes'])(value, at) : aBoolean(value, at)

const oneNeed = stringOr(
  hashOf({
    job: nonBlank,
    artifacts: aBoolean,
    optional: aBoolean,
    parallel: aHash,
    project: nonBlank,
    ref: nonBlank,
    pipeline: nonBlank,
  }),
)

const needs = listOf(oneNeed, 'can only be a hash or an array', true)

const rule = hashOf({
  ...startKeys,
  if: aString,
  changes,
  exists: (value, at) => (isMap(value) ? undefined : strings(value, at)),
  allow_failure: allowFailure,
  variables,
  needs,
  interruptible: aBoolean,
  auto_cancel: aHash,
})

/** Rules, also in the lists of lists that references make. */
export const rules: Check = (value, at) => {
  const flat = Array.isArray(value) ? value.flat(10) : value
  return listOf((one) => rule(one, `${at}:rule`), 'should be an array')(flat, at)
}

const environmentName: Check = (value, at) => {
  const error = isString(value) && value.trim() !== '' ? environmentNameError(value) : undefined
  return error === undefined ? nonBlank(value, at) : `${at} environment name ${error}`
}

const environmentHash = stringOr(
  hashOf(
    {
      name: environmentName,
      url: address,
      on_stop: text,
      action: oneOfWords('start', 'stop', 'prepare', 'verify', 'access'),
      auto_stop_in: anything,
      kubernetes: aHash,
      deployment_tier: oneOfWords('production', 'staging', 'testing', 'development', 'other'),
    },
    ['name'],
  ),
)

const environment: Check = (value, at) =>
  isString(value) && value.trim() !== '' ? environmentName(value, at) : environmentHash(value, at)

const retryReasons = [
  'always unknown_failure script_failure api_failure stuck_or_timeout_failure',
  'runner_system_failure missing_dependency_failure runner_unsupported stale_schedule',
  'job_execution_timeout archived_failure unmet_prerequisites scheduler_failure',
  'data_integrity_failure',
]
  .join(' ')
  .split(' ')

const retryWhen: Check = (value, at) => {
  const error = stringOrStrings(value, at)
  if (error !== undefined) return error
  const unknown = asList(value)
    .map(String)
    .filter((reason) => !retryReasons.includes(reason))
  return unknown.length === 0 ? undefined : `${at} unknown values: ${someOf(unknown)}`
}

const retry: Check = (value, at) => {
  if (typeof value === 'number') return numberBetween(0, 2)(value, at)
  if (!isMap(value)) return `${at} config has to be either an integer or a hash`
  const keys = { max: numberBetween(0, 2), when: retryWhen, exit_codes: anything }
  return hashOf(keys)(value, at)
}

const parallel: Check = (value, at) =>
  isMap(value)
    ? hashOf({ matrix: listOf(aHash, 'should be an array of hashes') }, ['matrix'])(value, at)
    : numberBetween(2, 50)(value, at)

const trigger = stringOr(
  hashOf({
    project: nonBlank,
    branch: text,
    strategy: oneOfWords('depend', 'mirror'),
    include: anything,
    forward: aHash,
    inputs: aHash,
  }),
)

const release = hashOf(
  {
    tag_name: nonBlank,
    tag_message: text,
    description: nonBlank,
    name: text,
    ref: text,
    milestones: stringOrStrings,
    released_at: text,
    assets: aHash,
  },
  ['tag_name', 'description'],
)

/** What jobs have in common with `default`. */
export const defaultKeys = {
  image,
  services,
  before_script: commands,
  after_script: commands,
  cache,
  tags: strings,
  artifacts,
  retry,
  timeout: duration,
  interruptible: aBoolean,
  hooks: aHash,
  id_tokens: aHash,
  identity: aString,
} as const satisfies KeyChecks

/** The keys of a job. */
export const jobKeys: KeyChecks = {
  ...defaultKeys,
  ...startKeys,
  script: commands,
  run: anything,
  stage: aString,
  type: aString,
  only: policy,
  except: policy,
  rules,
  allow_failure: allowFailure,
  environment,
  dependencies: stringsOf,
  needs,
  coverage: aPattern,
  parallel,
  extends: stringOrStrings,
  variables,
  trigger,
  resource_group: aString,
  secrets: aHash,
  release,
  inherit: aHash,
  dast_configuration: aHash,
  manual_confirmation: aString,
  pages: anything,
  publish: aString,
  inputs: aHash,
}
