<?php

// Checks codes one after another. Argument: JSON with `options`, `codes` (texts, or `{ code, now, refresh }`), and maybe `now`, `forget` and `reset`.
// Prints the results, or the error of the options, and what was logged.

declare(strict_types=1);

require __DIR__ . '/strict.php';

$given = \json_decode($argv[1], true, 512, JSON_THROW_ON_ERROR);
$options = $given['options'];
$logged = [];
$options['log'] = static function (string $event, string $detail) use (&$logged): void {
    $logged[] = "$event: $detail";
};
$now = $given['now'] ?? null;
$options['now'] = static function () use (&$now): float {
    return (float) ($now ?? \microtime(true));
};
try {
    $client = new Saleproof\Client($options);
} catch (Saleproof\ConfigurationError $error) {
    $arguments = \print_r($error->getTrace(), true);
    echo \json_encode(['message' => $error->getMessage(), 'trace' => (string) $error, 'arguments' => $arguments]);
    exit;
}
foreach ($given['forget'] ?? [] as $code) {
    $client->forget($code);
}
if (isset($given['reset'])) {
    $client->reset();
}
$start = \microtime(true);
$checks = [];
foreach ($given['codes'] as $code) {
    $now = $code['now'] ?? $now;
    $method = isset($code['refresh']) ? 'refresh' : 'check';
    $checks[] = $client->$method($code['code'] ?? $code);
}
$milliseconds = (\microtime(true) - $start) * 1000;
\ob_start();
foreach ([$client, (array) $client] as $shown) {
    \var_dump($shown);
    \print_r($shown);
    \var_export($shown);
    \debug_zval_dump($shown);
    echo \json_encode($shown);
    try {
        echo \serialize($shown);
    } catch (Exception $error) {
        echo $error->getMessage();
    }
}
$printed = \ob_get_clean();
echo \json_encode([
    'checks' => $checks,
    'milliseconds' => $milliseconds,
    'bytes' => \memory_get_peak_usage(),
    'logged' => $logged,
    'printed' => $printed,
]);
