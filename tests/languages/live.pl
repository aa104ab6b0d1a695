# A guest for Perl, as HACKING.md says one is made: frames over descriptor 3 (src/wire/frame.h), names that stay,
# the value of the last expression. In the builds for tests alone.
use POSIX ();
my ($READY, $RESULT, $COMPLETIONS, $LISTING, $HELLO, $CELL, $COMPLETE, $LIST) = (1, 4, 7, 10, 64, 65, 66, 73);
my ($VERSION, $PID, $MIME, $DATA, $NAME, $START, $ID, $CODE, $FLAGS, $KIND, $VALUE, $ERROR, $MESSAGE, $VARIABLES) =
    (1, 2, 4, 5, 10, 13, 15, 16, 17, 19, 21, 22, 23, 29);

sub number { pack 'q<', shift }

sub reply {
    my ($type, @fields) = @_;
    my $payload = join '', map { pack('C x3 L<', $_->[0], length $_->[1]) . $_->[1] } @fields;
    my $frame = pack('L< C x3', length $payload, $type) . $payload;
    while (length $frame) { substr($frame, 0, POSIX::write(3, $frame, length $frame)) = '' }
}

sub bytes {
    my ($left, $all) = (shift, '');
    while ($left > 0) {
        my $got = POSIX::read(3, my $part, $left) or POSIX::_exit(0);
        next unless $got > 0;
        $all .= substr $part, 0, $got;
        $left -= $got;
    }
    $all;
}

sub receive {
    my ($length, $type) = unpack 'L< C', bytes(8);
    my ($payload, $at, %fields) = (bytes($length), 0);
    while ($at < $length) {
        my ($tag, $size) = unpack 'C x3 L<', substr $payload, $at, 8;
        $fields{$tag} = substr $payload, $at + 8, $size;
        $at += 8 + $size;
    }
    ($type, \%fields);
}

$| = 1;
$SIG{INT} = 'IGNORE';
reply($READY, [$VERSION, "$]"], [$PID, number($$)]);
while (1) {
    my ($type, $fields) = receive();
    reply($COMPLETIONS, [$START, number(0)]) if $type == $COMPLETE;
    reply($LISTING, [$VARIABLES, '[]']) if $type == $LIST;
    next unless $type == $CELL;
    if (unpack('q<', $fields->{$FLAGS}) & 2) {    # a program: the interpreter ends with it
        eval "package main; no strict; $fields->{$CODE}; 1" or print(STDERR $@), exit 1;
        exit 0;
    }
    my $value = do { local $SIG{INT} = sub { die "interrupted\n" }; eval "package main; no strict; $fields->{$CODE}" };
    my @report = $@ eq "interrupted\n" ? ([$KIND, number(3)], [$ERROR, 'Interrupted'], [$MESSAGE, 'the cell was interrupted'])
        : $@ ? ([$KIND, number(1)], [$ERROR, 'die'], [$MESSAGE, "$@"])
        : ([$KIND, number(0)], defined $value ? ([$VALUE, ''], [$MIME, 'text/plain'], [$DATA, "$value"]) : ());
    reply($RESULT, [$ID, $fields->{$ID}], @report);
}
