import { emailErrors } from '../users/user.rules.ts'
import { addressesProblem, withoutPasswords } from './service-addresses.ts'
import {
  address,
  flag,
  fraction,
  line,
  longText,
  natural,
  number,
  numbers,
  positive,
  type SettingTable,
  texts,
} from './setting.ts'

const port = { min: 1, max: 65_535 }
const markdownVersion = { min: 0, max: 65_535 }

/** Other services that the instance uses, and what it tells about itself. */
export const serviceSettings = {
  allow_local_requests_from_hooks_and_services: flag(
    false,
    'Webhooks and imports may reach local addresses.',
    { acts: true },
  ),
  dns_rebinding_protection_enabled: flag(true, 'Addresses are looked up once; always so here.'),
  admin_notification_email: line('Where reports of abuse go.', {
    problem: (email: string) => emailErrors(email)[0],
  }),
  html_emails_enabled: flag(true, 'Mails have an HTML part.', { acts: true }),
  email_author_in_body: flag(false, 'Mails name the author in their text.', { acts: true }),
  email_additional_text: longText('Text at the end of every mail.', {
    acts: true,
    tier: 'premium',
  }),
  avatarservice_enabled: flag(true, 'Avatars are looked up at an external service.', {
    acts: true,
  }),
  asset_proxy_enabled: flag(false, 'Images in Markdown are loaded through a proxy.', {
    needs: ['asset_proxy_url'],
    restart: true,
  }),
  asset_proxy_url: address('Address of that proxy.', { restart: true }),
  asset_proxy_secret_key: line('Secret shared with the proxy.', { secret: true, restart: true }),
  asset_proxy_whitelist: texts('Domains whose images are loaded directly; `*` is a wildcard.', {
    restart: true,
  }),
  diagramservice_enabled: flag(false, 'Diagrams in Markdown are drawn.', {
    needs: ['diagramservice_url'],
  }),
  diagramservice_url: address('Address of the service that draws them.'),
  spamfilter_enabled: flag(false, 'Texts are checked for spam.', { needs: ['spamfilter_api_key'] }),
  spamfilter_api_key: line('Key of that service.', { secret: true }),
  external_authorization_service_enabled: flag(
    false,
    'A service decides who may access which project.',
    {
      tier: 'premium',
      needs: [
        'external_authorization_service_default_label',
        'external_authorization_service_timeout',
        'external_authorization_service_url',
      ],
    },
  ),
  external_authorization_service_url: address('Address of that service.'),
  external_authorization_service_default_label: line('Label of projects that have none.'),
  external_authorization_service_timeout: fraction(
    0.5,
    { min: 0.001, max: 10 },
    'Seconds until access is denied, in steps of 0.001.',
  ),
  external_auth_client_cert: longText('Certificate shown to that service.', {
    tier: 'premium',
    needs: ['external_auth_client_key'],
  }),
  external_auth_client_key: longText('Private key of the certificate.', {
    tier: 'premium',
    secret: true,
  }),
  external_auth_client_key_pass: line('Passphrase of the key.', { tier: 'premium', secret: true }),
  searchengine_search: flag(true, 'Code can be searched beyond one project.', {
    tier: 'premium',
    acts: true,
  }),
  searchengine_indexing: flag(true, 'Keeps the index of code up to date.', {
    tier: 'premium',
    acts: true,
  }),
  searchengine_url: line(
    'Addresses of an external search engine, comma-separated, with the password; none: the embedded one.',
    {
      secret: true,
      withoutSecret: withoutPasswords,
      problem: addressesProblem,
      tier: 'premium',
      acts: true,
    },
  ),
  searchengine_experimental_indexer: flag(false, 'Uses the newer indexer.', { tier: 'premium' }),
  searchengine_limit_indexing: flag(false, 'Indexes the named projects and namespaces alone.', {
    tier: 'premium',
    acts: true,
  }),
  searchengine_project_ids: numbers('Ids of the projects.', { tier: 'premium', acts: true }),
  searchengine_namespace_ids: numbers('Ids of the namespaces, which include those below.', {
    tier: 'premium',
    acts: true,
  }),
  searchengine_aws: flag(false, 'Requests to it are signed, as Amazon requires.', {
    tier: 'premium',
    acts: true,
  }),
  searchengine_aws_region: line('Region of Amazon.', {
    initial: 'us-east-1',
    tier: 'premium',
    acts: true,
  }),
  searchengine_aws_access_key: line('Access key; none: that of the environment.', {
    tier: 'premium',
    acts: true,
  }),
  searchengine_aws_secret_access_key: line('Secret access key.', {
    tier: 'premium',
    secret: true,
    acts: true,
  }),
  geo_status_timeout: number(10, positive, 'Seconds for the status of a secondary site.', {
    tier: 'premium',
  }),
  geo_node_allowed_ips: line('Addresses of secondary sites, comma-separated.', {
    initial: '0.0.0.0/0, ::/0',
    tier: 'premium',
  }),
  slack_app_enabled: flag(false, 'Offers the chat application.', { tier: 'premium' }),
  slack_app_id: line('Its id.', { tier: 'premium' }),
  slack_app_secret: line('Its secret.', { tier: 'premium', secret: true }),
  slack_app_verification_token: line('Its verification token.', { tier: 'premium', secret: true }),
  clientside_errortracker_enabled: flag(false, 'Errors of pages are reported.', {
    needs: ['clientside_errortracker_dsn'],
  }),
  clientside_errortracker_dsn: address('Where they are reported to.'),
  grafana_enabled: flag(false, 'Links to a dashboard.'),
  grafana_url: address('Address of the dashboard.', { initial: '/-/grafana' }),
  metrics_enabled: flag(false, 'Sends measurements to a time-series database.', {
    needs: [
      'metrics_host',
      'metrics_method_call_threshold',
      'metrics_packet_size',
      'metrics_pool_size',
      'metrics_port',
      'metrics_sample_interval',
      'metrics_timeout',
    ],
    restart: true,
  }),
  metrics_host: line('Its host.', { initial: 'localhost', restart: true }),
  metrics_port: number(8089, port, 'Its UDP port.', { restart: true }),
  metrics_pool_size: number(16, positive, 'Open connections.', { restart: true }),
  metrics_timeout: number(10, positive, 'Seconds until a transfer is given up.', { restart: true }),
  metrics_packet_size: number(1, positive, 'Points of a datagram.', { restart: true }),
  metrics_sample_interval: number(15, positive, 'Seconds between samples.', { restart: true }),
  metrics_method_call_threshold: number(10, natural, 'Milliseconds from which calls are tracked.', {
    restart: true,
  }),
  prometheus_metrics_enabled: flag(true, '`GET /metrics` answers.', { acts: true }),
  pseudonymizer_enabled: flag(false, 'Exports the database with pseudonyms.', { tier: 'premium' }),
  usage_ping_enabled: flag(false, 'Reports figures to the vendor; nothing is reported here.'),
  version_check_enabled: flag(false, 'Asks the vendor for updates; nothing is asked here.'),
  local_markdown_version: number(0, markdownVersion, 'Raising it drops rendered Markdown.'),
} as const satisfies SettingTable
