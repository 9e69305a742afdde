<?php

// What every program here runs with: a warning or a deprecation ends it.

declare(strict_types=1);

\error_reporting(E_ALL);
\set_error_handler(static function (int $level, string $message, string $file, int $line): bool {
    // Errors under @ are expected.
    if ((\error_reporting() & $level) !== 0) {
        throw new ErrorException($message, 0, $level, $file, $line);
    }
    return true;
});
require_once __DIR__ . '/../../saleproof.php';
