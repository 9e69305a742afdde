<?php

// Checks codes one after another. Argument: JSON with `options`, `codes`, and maybe `now` and `forget`. Prints the results, or the
// error of the options, and what was logged.

declare(strict_types=1);

require __DIR__ . '/strict.php';

$given = \json_decode($argv[1], true, 512, JSON_THROW_ON_ERROR);
$options = $given['options'];
$logged = [];
$options['log'] = static function (string $event, string $detail) use (&$logged): void {
    $logged[] = "$event: $detail";
};
if (isset($given['now'])) {
    $options['now'] = static function () use ($given): float {
        return (float) $given['now'];
    };
}
try {
    $client = new Saleproof\Client($options);
} catch (Saleproof\ConfigurationError $error) {
    echo \json_encode(['message' => $error->getMessage(), 'trace' => (string) $error]);
    exit;
}
foreach ($given['forget'] ?? [] as $code) {
    $client->forget($code);
}
$start = \microtime(true);
$checks = \array_map([$client, 'check'], $given['codes']);
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
