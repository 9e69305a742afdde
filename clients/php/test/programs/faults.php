<?php

// Goes through clients/faults.json with clients/php/saleproof.php. Arguments: the address of clients/faults, and which part of the
// cases to run (the remainder and the divisor of their index). Prints, as JSON, what was wrong and which cases were left out.

declare(strict_types=1);

use Saleproof\Client;
use Saleproof\ConfigurationError;

require __DIR__ . '/strict.php';

[, $server, $remainder, $divisor] = $argv;

const SETTINGS = [
    'apiKey' => 'api_key',
    'timeoutMs' => 'timeout_seconds',
    'totalTimeoutMs' => 'total_timeout_seconds',
    'maxRetries' => 'max_retries',
    'invalidMessages' => 'invalid_messages',
    'allowInsecureHttp' => 'allow_insecure_http',
    'ttlMs' => 'ttl_seconds',
    'negativeTtlMs' => 'negative_ttl_seconds',
];

function ask(string $url): array
{
    $curl = \curl_init($url);
    \curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 20]);
    return \json_decode((string) \curl_exec($curl), true, 512, JSON_THROW_ON_ERROR);
}

/** The options of a case in the words of this client; null where it has no such option. */
function optionsOf(array $table, array $case): ?array
{
    $options = [];
    $gate = $case['gate'] ?? [];
    unset($gate['onUnknown'], $gate['store']);
    foreach (($case['options'] ?? []) + $gate + $table['options'] as $name => $value) {
        if (!isset(SETTINGS[$name])) {
            return null;
        }
        $setting = SETTINGS[$name];
        $number = \substr($setting, -8) === '_seconds' ? $value / 1000 : $value;
        $options[$setting] = \in_array($setting, ['ttl_seconds', 'negative_ttl_seconds'], true) ? (int) $number : $number;
    }
    return $options;
}

function remove(string $directory): void
{
    foreach (\glob("$directory/*") ?: [] as $file) {
        \unlink($file);
    }
    if (\is_dir($directory)) {
        \rmdir($directory);
    }
}

/** A case on its way: the clients of its program, its clock and its directory. */
final class Run
{
    public float $time = 1767225600.0;
    public string $directory;
    public string $control;
    private array $options;
    private array $clients = [];

    public function __construct(string $server, array $table, array $case, array $options)
    {
        $urls = ask("$server/start?case=" . \rawurlencode($case['name']));
        $this->control = $urls['control'];
        $this->directory = \sys_get_temp_dir() . '/saleproof-faults-' . \bin2hex(\random_bytes(8));
        $onUnknown = $case['gate']['onUnknown'] ?? 'deny';
        $this->options = $options + [
            'base_url' => $urls['baseUrl'],
            'api_key' => $table['apiKey'],
            'on_unknown' => \is_array($onUnknown) ? ['allow_cached_seconds' => (int) ($onUnknown['allowCachedMs'] / 1000)] : $onUnknown,
            'now' => function (): float {
                return $this->time;
            },
        ];
        if (isset($case['gate'])) {
            $this->options += ['directory' => $this->directory, 'pepper' => 'the pepper of the fault table of tests'];
        }
    }

    public function restart(array $options): void
    {
        $this->clients = [];
        $this->options = $options + $this->options;
    }

    public function client(?int $itemId): Client
    {
        $item = $itemId === null ? [] : ['item_id' => $itemId];
        return $this->clients[(string) $itemId] = $this->clients[(string) $itemId] ?? new Client($this->options + $item);
    }

    public function tamper(): void
    {
        foreach (\glob("$this->directory/saleproof-*.php") ?: [] as $file) {
            $text = \file_get_contents($file);
            $at = \strpos($text, '"at"') ?: \strpos($text, '"clock"');
            \file_put_contents($file, \substr_replace($text, '9', $at + 10, 1));
        }
    }
}

function perform(Run $run, array $step, string $code): array
{
    try {
        $check = $run->client($step['itemId'] ?? null)->check($code);
        $error = $check->error === null ? null : ['kind' => $check->error->kind, 'code' => $check->error->code];
        return ['outcome' => $check->outcome, 'reason' => $check->reason, 'source' => $check->source, 'error' => $error];
    } catch (ConfigurationError $error) {
        return ['outcome' => 'configuration'];
    }
}

function check(Run $run, array $step, string $code): array
{
    // The details of errors differ between clients.
    $expected = \array_diff_key($step['expect'] ?? [], ['error' => 0]);
    $start = \microtime(true);
    $result = perform($run, $step, $code);
    $took = (\microtime(true) - $start) * 1000;
    $differs = static function (array $result) use ($expected): bool {
        foreach ($expected as $name => $right) {
            // A list holds what is right as well.
            if (!\in_array($result[$name] ?? null, (array) $right, true)) {
                return true;
            }
        }
        return false;
    };
    while (($step['eventually'] ?? false) && $differs($result) && \microtime(true) - $start < 5) {
        \usleep(25000);
        $result = perform($run, $step, $code);
    }
    if ($differs($result)) {
        return ['expected ' . \json_encode($expected) . ', was ' . \json_encode($result)];
    }
    return $took > ($step['withinMs'] ?? INF) ? ["took $took ms, at most {$step['withinMs']}"] : [];
}

function runStep(Run $run, array $step, int $index, string $code): array
{
    if (isset($step['server'])) {
        ask("$run->control/step/$index");
    } elseif (isset($step['advance'])) {
        $run->time += $step['advance'] / 1000;
    } elseif (isset($step['tamper'])) {
        $run->tamper();
    } elseif (isset($step['restart'])) {
        $run->restart(optionsOf(['options' => []], $step) ?? []);
    } elseif (isset($step['forget'])) {
        $run->client(null)->forget($step['forget']);
    } elseif (isset($step['requests'])) {
        $requests = ask($run->control)['requests'];
        return $requests === $step['requests'] ? [] : ["expected {$step['requests']} requests, were $requests"];
    } else {
        $problems = [];
        foreach ((array) ($step['check'] ?? $code) as $each) {
            $problems = \array_merge($problems, check($run, $step, $each));
        }
        return $problems;
    }
    return [];
}

$table = ask("$server/table");
$report = ['run' => 0, 'left out' => [], 'problems' => []];
foreach ($table['cases'] as $number => $case) {
    if ($number % (int) $divisor !== (int) $remainder) {
        continue;
    }
    $steps = $case['steps'] ?? [['check' => $table['code'], 'itemId' => $table['itemId'], 'expect' => $case['expect']]];
    $options = optionsOf($table, $case);
    // This client always has a store.
    $unknown = static fn (array $step): bool => optionsOf(['options' => []], $step) === null;
    if ($options === null || \array_filter($steps, $unknown) !== [] || ($case['gate']['store'] ?? true) === false || \array_column($steps, 'call') !== []) {
        $report['left out'][] = $case['name'];
        continue;
    }
    $run = new Run($server, $table, $case, $options);
    $report['run']++;
    foreach ($steps as $index => $step) {
        foreach (runStep($run, $step, $index, $table['code']) as $problem) {
            $report['problems'][$case['name']][] = "step $index: $problem";
        }
    }
    remove($run->directory);
}
echo \json_encode($report, JSON_PRETTY_PRINT | JSON_UNESCAPED_UNICODE), "\n";
