<?php

// Argument: a file with a JSON list of texts. Prints the form of each as `{ form }`, null where it is malformed; false where this PHP does
// not know the form, or a character.

declare(strict_types=1);

require __DIR__ . '/strict.php';

$codes = \json_decode(\file_get_contents($argv[1]), true, 512, JSON_THROW_ON_ERROR);
$hasUnassigned = static function (string $code): bool {
    \preg_match_all('/./su', $code, $characters);
    $unassigned = static fn (string $each): bool => \class_exists(IntlChar::class) && !IntlChar::isdefined($each);
    return \preg_match('/\p{Cn}/u', $code) === 1 || \array_filter($characters[0], $unassigned) !== [];
};
$read = static function (string $code) use ($hasUnassigned) {
    $form = Saleproof\PurchaseCode::read($code);
    $isKnown = $form === null ? !$hasUnassigned($code) : Saleproof\PurchaseCode::isKnown($form);
    return $isKnown ? ['form' => $form] : false;
};
echo \json_encode(\array_map($read, $codes), JSON_THROW_ON_ERROR);
